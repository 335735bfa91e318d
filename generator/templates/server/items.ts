import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Items } from './handlers.ts';
import { compile, demand, fieldName, referenceTo } from './validation.ts';

/** An item that fits its schema, or one sentence about why it does not. */
export type CheckedItem<Item> = { item: Item } | { problem: string };

const validators = new Map<string, ValidateFunction>();

/**
 * Judges one item of an array that the contract marks `x-branchline-each`: the wiring has let the items pass unchecked, so
 * that one bad item does not cost the others.
 *
 * @param name - The name of the items' schema in the contract.
 */
export function checkItem<Name extends keyof Items & string>(name: Name, item: unknown): CheckedItem<Items[Name]> {
  const validate = validatorOf(name);
  if (validate(item)) return { item: item as Items[Name] };
  const [error] = validate.errors ?? [];
  const field = fieldName(error?.instancePath ?? '');
  const subject = field === '' ? 'The item' : `The field "${field}"`;
  return { problem: `${subject} ${error === undefined ? 'is not valid' : demand(error)}.` };
}

function validatorOf(name: string): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const compiled = compile(referenceTo(`/components/schemas/${name}`));
  validators.set(name, compiled);
  return compiled;
}
