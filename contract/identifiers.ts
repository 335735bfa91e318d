/** Words that TypeScript or Kotlin reserve, that every object has, or whose types would hide one of Fastify's. */
const RESERVED_WORDS = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...'abstract any as async await boolean break case catch class const continue debugger declare default delete do'.split(
    ' ',
  ),
  ...'else enum export extends false fastify finally for from fun function get if implements import in instanceof'.split(
    ' ',
  ),
  ...'interface is let module namespace never new null number object of package private protected public return'.split(
    ' ',
  ),
  ...'set static string super switch symbol then this throw true try type typealias typeof undefined unknown val'.split(
    ' ',
  ),
  ...'var void when while with yield'.split(' '),
]);

/**
 * Gives names that are valid identifiers, and unique even when their first letter is capitalised.
 *
 * `meta/root` becomes `metaRoot`, `delete` becomes `deleteOperation`, a second `getPet` becomes `getPet2`.
 */
export function createIdentifiers(): (wanted: string) => string {
  const given = new Set<string>();
  return (wanted) => {
    const base = toIdentifier(wanted);
    let name = base;
    for (let n = 2; given.has(name.toLowerCase()); n += 1) name = `${base}${n}`;
    given.add(name.toLowerCase());
    return name;
  };
}

function toIdentifier(wanted: string): string {
  if (/^[a-z][A-Za-z0-9_]*$/.test(wanted)) return RESERVED_WORDS.has(wanted) ? `${wanted}Operation` : wanted;
  const words = wanted.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word, index) => (index === 0 ? lowerFirst(word) : capitalize(word))).join('');
  const valid = /^[A-Za-z]/.test(name) ? name : `operation${capitalize(name)}`;
  return RESERVED_WORDS.has(valid) ? `${valid}Operation` : valid;
}

/** `GET /users/{id}/posts` → `getUsersByIdPosts`. */
export function nameRoute(method: string, path: string): string {
  const words = path.split('/').map((part) => part.replaceAll(/\{([^}]*)\}/g, ' by $1 '));
  return [method, ...words].join(' ');
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function lowerFirst(word: string): string {
  return /^[A-Z]+$/.test(word) ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}
