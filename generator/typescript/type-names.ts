import { capitalize } from '@branchline/contract';

/** Gives names that are valid for types, and unique: `payment_intent` becomes `PaymentIntent`, a second one `PaymentIntent2`. */
export function createTypeNames(): (wanted: string) => string {
  const given = new Set<string>();
  return (wanted) => {
    const base = toTypeName(wanted);
    let name = base;
    for (let n = 2; given.has(name); n += 1) name = `${base}${n}`;
    given.add(name);
    return name;
  };
}

/** Whether a name can stand as it is. */
export function isTypeName(name: string): boolean {
  return /^\p{Lu}[\p{L}\p{Nd}]*$/u.test(name);
}

function toTypeName(wanted: string): string {
  if (isTypeName(wanted)) return wanted;
  const name = wanted
    .split(/(?:_|\P{ID_Continue})+/u)
    .map(capitalize)
    .join('');
  return /^\p{ID_Start}/u.test(name) ? name : `Model${name}`;
}
