import type { ErrorObject } from 'ajv/dist/2020.js';
import { sample as sampleArbitrary, stringMatching } from 'fast-check';
import { sample } from 'openapi-sampler';
import {
  fromPointer,
  isJsonObject,
  type Json,
  type Path,
  compilePattern,
  removeDust,
  valueAtPath,
  withValueAt,
} from '@branchline/contract';
import type { Validator } from './validator.ts';
import { mostItems } from './mutations/array.ts';
import { resizeText } from './mutations/string.ts';

const MOST_REPAIRS = 24;

/** A sample with more is beyond repair. */
const MOST_ERRORS = 200;

/** Mends what a sampler got wrong, error by error, as long as each step leaves fewer; `undefined` where it cannot. */
export function repairSample(validator: Validator, pointer: string, sampled: Json): Json | undefined {
  let value = sampled;
  for (let round = 0; round < MOST_REPAIRS; round += 1) {
    const errors = validator.errors(pointer, value);
    if (errors.length === 0) return value;
    if (errors.length > MOST_ERRORS) return undefined;
    const better = errors
      .flatMap((error) => proposeRepairs(value, error))
      .find((candidate) => validator.errors(pointer, candidate).length < errors.length);
    if (better === undefined) return undefined;
    value = better;
  }
  return undefined;
}

/** Something else in the place of the error, or without what should not be there, or nothing at all. */
function proposeRepairs(whole: Json, error: ErrorObject): Json[] {
  const at = fromPointer(error.instancePath);
  const value = valueAtPath(whole, at) as Json | undefined;
  const put = (path: Path, replacement: Json | undefined): Json[] => {
    const changed = withValueAt(whole, path, replacement);
    return changed === undefined ? [] : [changed];
  };
  const replaced = proposeReplacements(value, error).flatMap((replacement) => put(at, replacement));
  const stripped = findSuperfluous(value, error).flatMap((name) => put([...at, name], undefined));
  return [...replaced, ...stripped, ...(at.length === 0 ? [] : put(at, undefined))];
}

function findSuperfluous(value: Json | undefined, { keyword, params }: ErrorObject): string[] {
  const extra: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof extra === 'string') return [extra];
  return keyword === 'oneOf' && isJsonObject(value) ? Object.keys(value) : [];
}

function proposeReplacements(value: Json | undefined, { keyword, params }: ErrorObject): Json[] {
  const limit: unknown = params['limit'];
  if (keyword === 'type') return convertToType(value, [params['type']].flat());
  if (keyword === 'const') return [params['allowedValue']];
  if (keyword === 'enum') return [params['allowedValues']].flat().slice(0, 1);
  if (typeof value === 'string') {
    if (typeof limit === 'number') return resizeText(value, limit);
    if (keyword === 'pattern') return proposeMatches(String(params['pattern']), [...value].length);
    return keyword === 'format' ? sampleFormat(String(params['format'])) : [];
  }
  if (typeof value === 'number') return proposeNumbers(value, limit, params['multipleOf']);
  if (!Array.isArray(value)) return [];
  if (keyword === 'uniqueItems') return [value.slice(0, 1)];
  return typeof limit === 'number' && limit <= mostItems ? [Array.from({ length: limit }, () => value[0] ?? null)] : [];
}

/** Examples of numbers and booleans are often written as text. */
function convertToType(value: Json | undefined, types: unknown[]): Json[] {
  const number = Number(value);
  const known: Record<string, Json> = {
    integer: Number.isInteger(number) ? number : 0,
    number: Number.isFinite(number) ? number : 0,
    string: typeof value === 'object' ? 'text' : String(value),
    boolean: true,
    null: null,
    array: [],
    object: {},
  };
  return types.flatMap((type) => known[String(type)] ?? null);
}

function proposeNumbers(value: number, limit: unknown, step: unknown): number[] {
  if (typeof step === 'number') {
    const nearest = [Math.floor, Math.ceil].map((round) => removeDust(round(value / step) * step));
    return [...nearest, value + 1];
  }
  return typeof limit === 'number' ? [limit, limit + 1, limit - 1] : [];
}

/** Texts that match a pattern, at their own length and at the one asked for. */
function proposeMatches(pattern: string, length: number): string[] {
  const texts = samplesByPattern.get(pattern) ?? sampleMatches(pattern);
  samplesByPattern.set(pattern, texts);
  return [...texts, ...texts.flatMap((text) => resizeText(text, length))];
}

/** A pattern is asked for again in every round of repairs, and costs up to 100 ms. */
const samplesByPattern = new Map<string, string[]>();

/** The same every time, shortest first; none for a pattern with parts that the library does not know (look-ahead). */
function sampleMatches(pattern: string): string[] {
  try {
    const arbitrary = stringMatching(compilePattern(pattern), { size: 'xsmall' });
    return sampleArbitrary(arbitrary, { seed: 1, numRuns: 20 }).toSorted((a, b) => a.length - b.length);
  } catch {
    return [];
  }
}

/** For formats that the sampler does not know. */
const samplesByFormat: Readonly<Record<string, Json>> = { duration: 'PT1H', byte: 'dGV4dA==', time: '10:00:00Z' };

function sampleFormat(format: string): Json[] {
  return [samplesByFormat[format] ?? String(sample({ type: 'string', format }))];
}
