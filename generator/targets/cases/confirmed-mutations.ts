import { type Json, type Path, toPointer, valueAtPath, withValueAt } from '@branchline/contract';
import type { Validator } from './validator.ts';
import type { Mutation, MutationRule } from './mutation.ts';
import { mutateArray } from './mutations/array.ts';
import { mutateChoice } from './mutations/choice.ts';
import { mutateDiscriminator } from './mutations/discriminator.ts';
import { mutateEnumeration } from './mutations/enumeration.ts';
import { mutateNumber } from './mutations/number.ts';
import { mutateObject } from './mutations/object.ts';
import { mutateString } from './mutations/string.ts';
import { mutateType } from './mutations/type.ts';
import type { Samples } from './samples.ts';
import { readReference, readSchema, startsWith, listSubschemas } from './schema-object.ts';
import { type SchemaLocation, findSchemaLocations } from './schema-location.ts';

/** A change to a valid value, confirmed by the validator: it keeps every rule, or breaks exactly one. */
export interface ConfirmedMutation {
  /** Unique among the mutations of one value: `name/minLength-below`. */
  id: string;
  /** Where the matter is, for people; `change.at` may be an ancestor of it. */
  at: Path;
  /** See `Probe.says`. */
  says: string;
  valid: boolean;
  /** The broken rule. */
  keyword?: string;
  /** See `Site.judgedApart`. */
  checkedItemwise: boolean;
  change: { at: Path; put: Json | undefined };
}

/** What mutations are derived with. */
export interface Derivation {
  document: object;
  validator: Validator;
  samples: Samples;
}

const RULES: readonly MutationRule[] = [
  mutateType,
  mutateEnumeration,
  mutateString,
  mutateNumber,
  mutateArray,
  mutateObject,
  mutateChoice,
  mutateDiscriminator,
];

/**
 * Derives every mutation for a valid value of the schema at `pointer`, those of other branches of its `oneOf`s and
 * `anyOf`s included. The order is that of the schema.
 */
export function confirmMutations(derivation: Derivation, pointer: string, whole: Json): ConfirmedMutation[] {
  const { document, validator } = derivation;
  const locations = findSchemaLocations(document, validator, pointer, whole);
  const own = locations.flatMap((location) => confirmAt(validator, pointer, location, whole));
  const others = locations.flatMap((location) => mutateOtherBranches(derivation, pointer, location, whole, locations));
  return removeDuplicates([...own, ...others]);
}

function confirmAt(validator: Validator, pointer: string, location: SchemaLocation, whole: Json): ConfirmedMutation[] {
  return RULES.flatMap((propose) => propose(location)).flatMap((mutation) =>
    confirm(validator, pointer, location, mutation, whole),
  );
}

function confirm(
  validator: Validator,
  pointer: string,
  location: SchemaLocation,
  mutation: Mutation,
  whole: Json,
): ConfirmedMutation[] {
  const { at, breaks, rule, says } = mutation;
  const fits = (put: Json | undefined): boolean => {
    const changed = withValueAt(whole, at, put);
    if (changed === undefined) return false;
    if (breaks === undefined) return validator.accepts(pointer, changed);
    return !validator.accepts(pointer, changed) && validator.isolates(location.scopes, changed, breaks);
  };
  const index = mutation.candidates.findIndex((put) => tryFitting(() => fits(put)));
  if (index === -1) return [];
  return [
    {
      id: [...at, rule].join('/'),
      at,
      says,
      valid: breaks === undefined,
      ...(breaks === undefined ? {} : { keyword: breaks.keyword }),
      checkedItemwise: location.checkedItemwise,
      change: { at, put: mutation.candidates[index] },
    },
  ];
}

/** A text of the greatest length may be too long for its pattern: then nothing is known of it. */
function tryFitting(fits: () => boolean): boolean {
  try {
    return fits();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The branches that the value did not choose. */
function mutateOtherBranches(
  derivation: Derivation,
  pointer: string,
  location: SchemaLocation,
  whole: Json,
  known: SchemaLocation[],
): ConfirmedMutation[] {
  const seen = new Set(known.map(makeKey));
  return ['oneOf', 'anyOf'].flatMap((keyword) =>
    listSubschemas(location.schema, location.pointer, keyword)
      .flatMap((branch, index) => {
        if (derivation.validator.takes(location.schema, branch.pointer, location.value)) return [];
        const put = derivation.samples.ofBranch(location.pointer, keyword, index);
        const name = `${keyword}-${nameBranch(derivation.document, branch.pointer, index)}`;
        return put === undefined ? [] : [mutateBranch(derivation, pointer, location, whole, seen, { name, put })];
      })
      .flat(),
  );
}

/** A sample of another branch put in the value's place, and everything derived inside it. */
function mutateBranch(
  { document, validator }: Derivation,
  pointer: string,
  location: SchemaLocation,
  whole: Json,
  seen: ReadonlySet<string>,
  branch: { name: string; put: Json },
): ConfirmedMutation[] {
  const { at, checkedItemwise } = location;
  const changed = withValueAt(whole, at, branch.put);
  if (changed === undefined || !validator.accepts(pointer, changed)) return [];
  const chosen: ConfirmedMutation = {
    id: [...at, branch.name].join('/'),
    at,
    says: `is another kind of value, ${branch.name}`,
    valid: true,
    checkedItemwise,
    change: { at, put: branch.put },
  };
  const inside = findSchemaLocations(document, validator, pointer, changed)
    .filter((inner) => startsWith(inner.at, at) && !seen.has(makeKey(inner)))
    .flatMap((inner) => confirmAt(validator, pointer, inner, changed));
  return [chosen].concat(inside.map((mutation) => liftMutation(mutation, at, branch.name, changed)));
}

function makeKey(location: SchemaLocation): string {
  return `${location.pointer} ${toPointer(location.at)}`;
}

function nameBranch(document: object, pointer: string, index: number): string {
  const reference = readReference(readSchema(document, pointer) ?? {});
  return reference?.split('/').at(-1) ?? String(index + 1);
}

/** Says a change inside another branch as a change of the whole place, since the base body holds no such branch. */
function liftMutation(mutation: ConfirmedMutation, at: Path, name: string, changed: Json): ConfirmedMutation {
  const after = withValueAt(changed, mutation.change.at, mutation.change.put);
  const below = mutation.id.split('/').slice(at.length);
  return {
    ...mutation,
    id: [...at, name, ...below].join('/'),
    change: { at, put: valueAtPath(after, at) as Json | undefined },
  };
}

/** The same rule written twice (in two parts of an `allOf`, say) is one mutation. */
function removeDuplicates(mutations: ConfirmedMutation[]): ConfirmedMutation[] {
  return [...new Map(mutations.toReversed().map((mutation) => [mutation.id, mutation])).values()].toReversed();
}
