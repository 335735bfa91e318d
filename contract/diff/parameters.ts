import type { Located, Operation } from '../contract.ts';
import type { ParameterObject } from '../openapi.ts';
import { isObject, pointerTo } from '../pointers.ts';
import { type Change, come, type Diff, gone, type OperationPair } from './change.ts';
import { judgeRemoval, readLifecycle } from './lifecycle.ts';
import { isEarlier } from './operations.ts';
import { matchMedia } from './media-types.ts';

/** Changes of the parameters of an operation. Those of the path are known by their place in it, and headers in any case. */
export function compareParameters(diff: Diff, pair: OperationPair): Change[] {
  const [before, after] = [listByKey(pair.old), listByKey(pair.new)];
  return [
    ...[...before].flatMap(([key, parameter]) => {
      const other = after.get(key);
      return other === undefined ? describeRemoved(diff, parameter) : compareParameter(diff, parameter, other);
    }),
    ...[...after].filter(([key]) => !before.has(key)).map(([, parameter]) => describeAdded(parameter)),
  ];
}

function listByKey({ path, parameters }: Operation): Map<string, Located<ParameterObject>> {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parameters.map((parameter) => {
      const { name, in: place } = parameter.value;
      const id = place === 'path' ? String(names.indexOf(name)) : place === 'header' ? name.toLowerCase() : name;
      return [`${place} ${id}`, parameter];
    }),
  );
}

function name({ name: given, in: place }: ParameterObject): string {
  return `the ${place} parameter "${given}"`;
}

function describeRemoved({ today }: Diff, { value, pointer }: Located<ParameterObject>): Change[] {
  const removal = judgeRemoval(readLifecycle(value), today);
  const sentence = `${name(value)} was removed`;
  if (removal === 'told') return [gone('request-parameter-removed-with-deprecation', pointer, sentence)];
  if (removal === 'early')
    return [gone('request-parameter-removed-before-sunset', pointer, `${sentence} before its sunset`)];
  return [gone('request-parameter-removed', pointer, sentence)];
}

function describeAdded({ value, pointer }: Located<ParameterObject>): Change {
  if (value.required !== true) return come('new-optional-request-parameter', pointer, `${name(value)} is new`);
  const sentence = `${name(value)} is new, and required`;
  return isObject(value.schema) && 'default' in value.schema
    ? come('new-required-request-default-parameter-to-existing-path', pointer, sentence)
    : come('new-required-request-parameter', pointer, sentence);
}

function compareParameter(diff: Diff, old: Located<ParameterObject>, after: Located<ParameterObject>): Change[] {
  return [
    ...compareNeed(old, after),
    ...compareLifecycles(old, after),
    ...compareSerialization(old, after),
    ...compareValues(diff, old, after),
  ];
}

function compareNeed(old: Located<ParameterObject>, after: Located<ParameterObject>): Change[] {
  const [was, is] = [old.value.required === true, after.value.required === true];
  if (was === is) return [];
  if (is) return [come('request-parameter-became-required', after.pointer, `${name(after.value)} is required now`)];
  return [gone('request-parameter-became-optional', old.pointer, `${name(old.value)} is not required any more`)];
}

function compareLifecycles(old: Located<ParameterObject>, after: Located<ParameterObject>): Change[] {
  const [before, now] = [readLifecycle(old.value), readLifecycle(after.value)];
  const what = name(after.value);
  const sunset = pointerTo(after.pointer, 'x-sunset');
  const changes: Change[] = [];
  if (now.sunset === 'invalid' && before.sunset !== 'invalid') {
    changes.push(come('request-parameter-sunset-parse', sunset, `the sunset of ${what} is no day such as 2026-12-31`));
  }
  if (before.isDeprecated && !now.isDeprecated) {
    changes.push(
      gone('request-parameter-reactivated', pointerTo(old.pointer, 'deprecated'), `${what} is not deprecated any more`),
    );
  } else if (!before.isDeprecated && now.isDeprecated) {
    changes.push(
      come('request-parameter-deprecated', pointerTo(after.pointer, 'deprecated'), `${what} is deprecated now`),
    );
  } else if (now.isDeprecated && before.sunset !== undefined && now.sunset === undefined) {
    changes.push(
      gone('request-parameter-sunset-deleted', pointerTo(old.pointer, 'x-sunset'), `the sunset of ${what} was removed`),
    );
  } else if (now.isDeprecated && isEarlier(now.sunset, before.sunset)) {
    const sentence = `the sunset of ${what} was ${before.sunset} and is ${now.sunset}`;
    changes.push(come('request-parameter-sunset-date-changed-too-small', sunset, sentence));
  }
  return changes;
}

/** By its place, as OpenAPI says where nothing is written. */
const DEFAULT_STYLES: Readonly<Record<ParameterObject['in'], string>> = {
  path: 'simple',
  header: 'simple',
  query: 'form',
  cookie: 'form',
};

function compareSerialization(old: Located<ParameterObject>, after: Located<ParameterObject>): Change[] {
  const [before, now] = [old, after].map(({ value }) => {
    const content = Object.keys(value.content ?? {});
    if (content.length > 0) return content.join(', ');
    const style = value.style ?? DEFAULT_STYLES[value.in];
    const types = isObject(value.schema) ? [value.schema['type'] ?? ['array', 'object']].flat() : ['array', 'object'];
    // That of a single value looks the same whether it explodes or not.
    const isList =
      value.schema !== undefined &&
      (types.includes('array') || types.includes('object') || '$ref' in Object(value.schema));
    return isList ? `${style}, explode: ${value.explode ?? style === 'form'}` : style;
  });
  if (before === now || before === undefined || now === undefined) return [];
  const isOneList =
    before.split(',')[0] === now.split(',')[0] && before.includes('explode') !== now.includes('explode');
  if (isOneList) return [];
  return [
    come(
      'request-parameter-serialization-changed',
      after.pointer,
      `${name(after.value)} was written as ${before} and is as ${now}`,
    ),
  ];
}

function compareValues(diff: Diff, old: Located<ParameterObject>, after: Located<ParameterObject>): Change[] {
  if (old.value.content !== undefined && after.value.content !== undefined) {
    const { pairs } = matchMedia(old, after);
    return pairs.flatMap((pair) =>
      diff.compareSchemas('request-parameter', ({ views }) => ({ old: views.old(pair.old), new: views.new(pair.new) })),
    );
  }
  if (old.value.content !== undefined || after.value.content !== undefined) return [];
  return diff.compareSchemas(
    'request-parameter',
    ({ views }) => ({ old: views.old(schemaOf(old)), new: views.new(schemaOf(after)) }),
    { isText: true },
  );
}

function schemaOf({ value, pointer }: Located<{ schema?: unknown }>): Located<unknown> {
  return { value: value.schema ?? true, pointer: pointerTo(pointer, 'schema') };
}
