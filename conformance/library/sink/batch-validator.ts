import type { ErrorObject } from 'ajv';
import { describeError, isJsonObject, schemaValidators } from '@branchline/contract';
import contract from '../../generated/contract.json' with { type: 'json' };
import { formatSchema } from './schema-text.ts';

const validators = schemaValidators(contract, { allErrors: true });
const {
  'x-branchline-max-depth': maxDepth,
  'x-branchline-max-properties': maxProperties,
  'x-branchline-max-element-types': maxElementTypes,
} = contract.components.schemas.EventReport;

/** What is wrong with a batch, its events apart. */
export function envelopeProblems(batch: unknown): string[] {
  const validate = validators('/components/schemas/Batch');
  validate(batch);
  return toSentences((validate.errors ?? []).filter(({ instancePath }) => !instancePath.startsWith('/events/')));
}

/** What is wrong with one event of a batch. */
export function eventProblems(event: unknown): string[] {
  const validate = validators('/components/schemas/EventReport');
  validate(event);
  const problems = toSentences(validate.errors ?? []);
  if (problems.length > 0 || !isJsonObject(event) || !Array.isArray(event['schema'])) return problems;
  return ruleProblems(event['schema']);
}

/** The rules that JSON Schema can't express. */
function ruleProblems(schema: readonly unknown[]): string[] {
  const size = measure(schema, 1);
  return [
    ...(size.depth > maxDepth
      ? [`An event is nested ${size.depth} levels deep; at most ${maxDepth} are allowed.`]
      : []),
    ...(size.properties > maxProperties
      ? [`An event has ${size.properties} properties; at most ${maxProperties} are allowed.`]
      : []),
    ...(size.elementTypes > maxElementTypes
      ? [`The lists of an event name ${size.elementTypes} types of elements; at most ${maxElementTypes} are allowed.`]
      : []),
    ...findRepeated(schema),
  ];
}

interface Size {
  depth: number;
  properties: number;
  elementTypes: number;
}

function measure(types: readonly unknown[], level: number): Size {
  const all = types.filter(isJsonObject);
  const inside = all.flatMap(({ items, properties }) => [
    ...(Array.isArray(items) && items.length > 0 ? [measure(items, level + 1)] : []),
    ...(Array.isArray(properties) && properties.length > 0 ? [measure(properties, level + 1)] : []),
  ]);
  return {
    depth: Math.max(all.length === 0 ? 0 : level, ...inside.map(({ depth }) => depth)),
    properties: inside.reduce(
      (sum, { properties }) => sum + properties,
      all.filter(({ name }) => name !== undefined).length,
    ),
    elementTypes: inside.reduce(
      (sum, { elementTypes }) => sum + elementTypes,
      all.filter(({ name }) => name === undefined).length,
    ),
  };
}

function findRepeated(properties: readonly unknown[]): string[] {
  const names = properties.filter(isJsonObject).map(({ name }) => name);
  const twice = names.find((name, index) => name !== undefined && names.indexOf(name) !== index);
  const inside = properties
    .filter(isJsonObject)
    .flatMap(({ items, properties: children }) => [
      ...(Array.isArray(items) ? [...findRepeatedTypes(items), ...findRepeated(items)] : []),
      ...(Array.isArray(children) ? findRepeated(children) : []),
    ]);
  return twice === undefined ? inside : [`An object has two properties named ${JSON.stringify(twice)}.`, ...inside];
}

function findRepeatedTypes(items: readonly unknown[]): string[] {
  const texts = items.map((item) => formatSchema([item]));
  return new Set(texts).size === texts.length ? [] : ['A list names a type of its elements twice.'];
}

/** An error of `if` only repeats that one of its branches failed. */
function toSentences(errors: readonly ErrorObject[]): string[] {
  return errors
    .filter(({ keyword }) => keyword !== 'if')
    .map((error) => {
      const place = error.instancePath === '' ? 'It' : `"${error.instancePath.replaceAll(/\d+/g, 'n')}"`;
      return `${place} ${describeError(error)}.`;
    });
}
