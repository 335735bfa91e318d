/** What a path template (`/schemas/:workspace/branches`) finds in a path; undefined where the path is another. */
export function matchPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (given.at(-1) === '' && given.length === wanted.length + 1) given.pop();
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = decoded(given[index] ?? '');
    if (!part.startsWith(':') && part !== text) return undefined;
    if (part.startsWith(':') && (text === undefined || text === '')) return undefined;
    if (part.startsWith(':') && text !== undefined) found[part.slice(1)] = text;
  }
  return found;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
