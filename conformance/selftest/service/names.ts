/** Kebab case: lowercase letters, digits and hyphens, not empty (Branch Management HTTP API, Resources and their fields). */
export function isValidName(name: string): boolean {
  return /^[a-z0-9-]+$/.test(name);
}

/** A valid, free name that is close to the requested one. */
export function suggestion(asked: string, taken: (name: string) => boolean): string {
  const plain = asked.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const kebab = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  const base = kebab.slice(0, 60) || 'my-branch';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken(name)) return name;
  }
}
