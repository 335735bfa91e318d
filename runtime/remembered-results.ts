import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { resolveRef, SchemaEnv } from 'ajv/dist/compile/index.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { findKeyword } from './keyword-code.ts';

/** A value that takes no more steps than this is sooner judged again than looked up. */
const CHEAP = 32;

/** What Ajv calls for a `$ref`: it reads the rest where the value is invalid, or where others go by what was evaluated. */
interface Judge extends Pick<ValidateFunction, 'errors'> {
  (value: unknown, context: DataValidationCxt): boolean;
  evaluated?: ValidateFunction['evaluated'] | undefined;
}

interface Result {
  /** None where the value is valid. */
  errors: readonly ErrorObject[] | undefined;
  /** The place that the errors are told of. */
  place: string;
  evaluated: Evaluated | undefined;
}

type Evaluated = NonNullable<ValidateFunction['evaluated']>;

/**
 * Has Ajv judge each object or array by each schema that is referred to once or so, while a value is checked. Schemas that refer to each
 * other by a choice would otherwise judge each part again for each way that leads to it, which are twice as many with each level that a
 * value is nested. What is said of a value stays the same, but that no error is told twice.
 *
 * Schemas whose references are dynamic go without: what they say of a value is not always the same.
 */
export function rememberResults(ajv: Ajv2020): Ajv2020 {
  const reference = findKeyword(ajv, '$ref');
  const follow = reference.code;
  const judges = new Map<SchemaEnv, Judge>();
  const memory = new Memory();
  reference.code = (context) => {
    const { baseId, schemaEnv } = context.it;
    const target = resolveRef.call(ajv, schemaEnv.root, baseId, context.schema);
    if (!(target instanceof SchemaEnv) || target.$async === true) return follow(context);
    const judge = judges.get(target) ?? createJudge(target, memory);
    judges.set(target, judge);
    return callRef(context, context.gen.scopeValue('func', { ref: judge }), target);
  };
  return ajv;
}

/** @param target - Compiled by the time that its judge is first asked. */
function createJudge(target: SchemaEnv, memory: Memory): Judge {
  const results = new Map<object, Result>();
  const judge: Judge = (value, context) => {
    const validate = target.validate as ValidateFunction;
    judge.evaluated ??= validate.evaluated;
    if (typeof value !== 'object' || value === null) {
      memory.steps += 1;
      return tell(judge, validate(value, context), validate.errors);
    }
    const known = results.get(value);
    if (known !== undefined && isSame(known, context)) return repeat(judge, known);
    const before = memory.steps;
    memory.steps += Array.isArray(value) ? value.length + 1 : 1;
    const isValid = memory.isOpen ? validate(value, context) : memory.during(validate, value, context);
    if (memory.steps - before <= CHEAP || !memory.isOpen || isDynamic(context)) {
      return tell(judge, isValid, validate.errors);
    }
    const result = readResult(validate, isValid, context);
    memory.keep(results, value, result);
    return tell(judge, isValid, result.errors?.slice());
  };
  return judge;
}

function tell(judge: Judge, isValid: boolean, errors: ErrorObject[] | null | undefined): boolean {
  // What is not read by Ajv need not be written.
  if (!isValid) judge.errors = errors ?? null;
  return isValid;
}

/** Ajv adds to what it is given. */
function repeat(judge: Judge, { errors, evaluated }: Result): boolean {
  if (evaluated !== undefined && judge.evaluated !== undefined) Object.assign(judge.evaluated, copy(evaluated));
  return tell(judge, errors === undefined, errors?.slice());
}

function readResult(validate: ValidateFunction, isValid: boolean, { instancePath }: DataValidationCxt): Result {
  const { evaluated } = validate;
  const isVarying = evaluated?.dynamicProps === true || evaluated?.dynamicItems === true;
  return {
    // A part has been told of by each schema that it was judged by for the sake of this one.
    errors: isValid ? undefined : [...new Set(validate.errors)],
    place: instancePath,
    evaluated: isValid && isVarying ? copy(evaluated) : undefined,
  };
}

function copy(evaluated: Evaluated): Evaluated {
  return typeof evaluated.props === 'object' ? { ...evaluated, props: { ...evaluated.props } } : { ...evaluated };
}

function isSame({ errors, place }: Result, context: DataValidationCxt): boolean {
  return (errors === undefined || place === context.instancePath) && !isDynamic(context);
}

function isDynamic({ dynamicAnchors }: DataValidationCxt): boolean {
  for (const _ in dynamicAnchors) return true;
  return false;
}

/** Lasts from the first reference that is followed until it has been: values may change before the next. */
class Memory {
  /** Values that were asked about, and items of lists, since ever. */
  steps = 0;
  isOpen = false;
  readonly #filled: Map<object, Result>[] = [];

  keep(results: Map<object, Result>, value: object, result: Result): void {
    if (results.size === 0) this.#filled.push(results);
    results.set(value, result);
  }

  during(validate: ValidateFunction, value: object, context: DataValidationCxt): boolean {
    this.isOpen = true;
    try {
      return validate(value, context);
    } finally {
      this.isOpen = false;
      for (const results of this.#filled.splice(0)) results.clear();
    }
  }
}
