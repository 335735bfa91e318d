/**
 * Whether two values that JSON was read into say the same; the order of keys says nothing.
 *
 * @param known has no key that every object has, such as `constructor`; the other may be anything
 */
export function isSameJson(known: unknown, other: unknown): boolean {
  if (known === other) return true;
  if (typeof known !== 'object' || typeof other !== 'object' || known === null || other === null) return false;
  if (Array.isArray(known) || Array.isArray(other)) {
    if (!Array.isArray(known) || !Array.isArray(other) || known.length !== other.length) return false;
    for (let index = 0; index < known.length; index += 1) if (!isSameJson(known[index], other[index])) return false;
    return true;
  }
  const knownMembers = known as Record<string, unknown>;
  const otherMembers = other as Record<string, unknown>;
  let keys = 0;
  // Without lists of keys: this is done for each property of each event.
  for (const key in knownMembers) {
    if (!isSameJson(knownMembers[key], otherMembers[key])) return false;
    keys += 1;
  }
  for (const _ in otherMembers) keys -= 1;
  return keys === 0;
}
