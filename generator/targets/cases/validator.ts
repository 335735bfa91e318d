import type { ErrorObject } from 'ajv/dist/2020.js';
import {
  applyDiscriminators,
  fromPointer,
  isJsonObject,
  type Json,
  type OpenApiDocument,
  type Path,
  readChoice,
  type SchemaValidators,
  schemaValidators,
  toPointer,
  valueAt,
  valueAtPath,
} from '@branchline/contract';
import { type SchemaObject, startsWith } from './schema-object.ts';

/** A rule broken at a place. */
export interface Fault {
  at: Path;
  keyword: string;
}

/** A schema of the document applied at a place of the whole value. */
export interface Scope {
  pointer: string;
  at: Path;
}

/** Judges values by Ajv. Nothing becomes a case that it does not confirm. */
export interface Validator {
  accepts(pointer: string, value: Json): boolean;
  /** Whether a value takes the alternative at `pointer` of a schema's `oneOf` or `anyOf`; where a discriminator decides, by what it says. */
  takes(schema: SchemaObject, pointer: string, value: Json): boolean;
  /** Every error of `value` under the schema at `pointer`. */
  errors(pointer: string, value: Json): ErrorObject[];
  /**
   * Whether `whole` breaks exactly the rule of `fault`. `scopes` lead from the whole schema to the branches of
   * `oneOf`/`anyOf` within which the place is judged: the innermost must have no other fault, and each outer one
   * must fail for nothing but the choice that contains it.
   */
  isolates(scopes: readonly Scope[], whole: Json, fault: Fault): boolean;
}

/** The choice of a discriminator fails by its condition. */
const choices: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'if']);

const OPTIONS = { allErrors: true, boundsPatterns: true };

export function createValidator(document: OpenApiDocument): Validator {
  const decided = applyDiscriminators(document);
  const deciding = schemaValidators(decided, OPTIONS);
  let plain: SchemaValidators | undefined;
  const takenAsWritten: SchemaValidators = (pointer) => (plain ??= schemaValidators(document, OPTIONS))(pointer);
  // The alternatives of a discriminator no longer stand where they did.
  const validators: SchemaValidators = (pointer) =>
    valueAt(decided, pointer) === undefined ? takenAsWritten(pointer) : deciding(pointer);
  const errors = (pointer: string, value: Json): ErrorObject[] => {
    const validate = validators(pointer);
    return validate(value) ? [] : [...(validate.errors ?? [])];
  };
  return {
    accepts: (pointer, value) => validators(pointer)(value),
    takes: (schema, pointer, value) => isNamed(document, schema, pointer, value) && validators(pointer)(value),
    errors,
    isolates: (scopes, whole, fault) =>
      scopes.every((scope, index) => {
        const part = valueAtPath(whole, scope.at) as Json | undefined;
        if (part === undefined) return false;
        const found = errors(scope.pointer, part).map((error) => locateError(error, scope.at));
        const inner = scopes[index + 1];
        return inner === undefined ? isOnly(found, fault) : failsByChoice(found, inner.at);
      }),
  };
}

/** Whether a discriminator, if there is one, takes a value for what stands at a pointer. */
function isNamed(document: OpenApiDocument, schema: SchemaObject, pointer: string, value: Json): boolean {
  const choice = readChoice(document, schema);
  const alternative = valueAt(document, pointer);
  const reference = isJsonObject(alternative) ? alternative['$ref'] : undefined;
  const branch = choice?.branches.find((one) => one.reference === reference);
  if (choice === undefined || branch === undefined) return true;
  return isJsonObject(value) && branch.values.includes(String(value[choice.property]));
}

interface LocatedError extends Fault {
  parentSchema: object | undefined;
}

function locateError(error: ErrorObject, at: Path): LocatedError {
  return { at: [...at, ...fromPointer(error.instancePath)], keyword: error.keyword, parentSchema: error.parentSchema };
}

function failsByChoice(found: LocatedError[], at: Path): boolean {
  return (
    found.every((error) => startsWith(error.at, at)) &&
    found.some((error) => choices.has(error.keyword) && toPointer(error.at) === toPointer(at))
  );
}

/** What no value of another type can keep. */
const implied: ReadonlySet<string> = new Set(['enum', 'const', 'multipleOf', 'format']);

/** What follows from the fault is no second fault: a value of the wrong type is in no enum, and fits no branch. */
function isOnly(found: LocatedError[], fault: Fault): boolean {
  const place = toPointer(fault.at);
  const isMeant = (error: LocatedError): boolean => error.keyword === fault.keyword && toPointer(error.at) === place;
  const meant = found.filter(isMeant);
  if (meant.length === 0) return false;
  const others = found.filter((error) => !isMeant(error));
  if (fault.keyword === 'type') {
    const chosen = others.some((error) => choices.has(error.keyword));
    return others.every((error) => startsWith(error.at, fault.at) && (chosen || implied.has(error.keyword)));
  }
  if (!choices.has(fault.keyword)) return others.length === 0;
  const owners = new Set(meant.map((error) => error.parentSchema));
  return others.every((error) => startsWith(error.at, fault.at) && !owners.has(error.parentSchema));
}
