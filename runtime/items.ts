import type { ValidateFunction } from 'ajv/dist/2020.js';
import { makeReference, type ContractSchemas } from './contract-schemas.ts';
import { chooseError, describeDemand, toFieldName } from './validation-errors.ts';

/** An item that fits its schema, or one sentence about why it does not. */
export type CheckedItem<Item> = { item: Item } | { problem: string };

/**
 * Judges one item of an array that the contract marks `x-branchline-each`: the items have been let pass unchecked, so that
 * one bad item does not cost the others.
 *
 * @param name - The name of the items' schema in the contract.
 */
export type ItemChecker<Items> = <Name extends keyof Items & string>(
  name: Name,
  item: unknown,
) => CheckedItem<Items[Name]>;

/** `Items` are the types of the items by the name of their schema; the generated `handlers.ts` has them. */
export function itemChecker<Items>(schemas: ContractSchemas): ItemChecker<Items> {
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (name: string): ValidateFunction => {
    const known = validators.get(name);
    if (known !== undefined) return known;
    const compiled = schemas.compile(makeReference(`/components/schemas/${name}`));
    validators.set(name, compiled);
    return compiled;
  };

  return <Name extends keyof Items & string>(name: Name, item: unknown): CheckedItem<Items[Name]> => {
    const validate = validatorOf(name);
    if (validate(item)) return { item: item as Items[Name] };
    const error = chooseError(validate.errors);
    const field = toFieldName(error?.instancePath ?? '');
    const subject = field === '' ? 'The item' : `The field "${field}"`;
    return { problem: `${subject} ${describeDemand(error)}.` };
  };
}
