/** As servers and libraries set values apart in their sentences. */
const WORD = /[^\s"'“”„«»()=,]+/gu;

/**
 * What a server or a library says of a connection, without what its URL holds besides host and database: they repeat users and
 * parameters, and a password may stand in the place of either.
 */
export function hideUrl(text: string, url: string): string {
  const { username, password, searchParams } = new URL(url);
  const parameters = [...searchParams].flatMap(([name, value]) => (name === 'host' ? [] : [value]));
  const written = [username, password, decode(username), decode(password), ...parameters];
  const hidden = new Set(written.flatMap((value) => value.match(WORD) ?? []).map(withoutStop));
  return text.replaceAll(WORD, (word) => (withoutStop(word) !== '' && hidden.has(withoutStop(word)) ? '…' : word));
}

function withoutStop(word: string): string {
  return word.replace(/[.:;]+$/, '');
}

/** node-postgres takes what is not encoded as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
