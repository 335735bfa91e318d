import * as fc from 'fast-check';
import {
  compilePattern,
  fromPointer,
  isJsonObject,
  type Json,
  type JsonObject,
  removeDust,
  valueAtPath,
} from '@branchline/contract';

type Values = fc.Arbitrary<Json>;

/** Deeper parts of a schema get the least that it asks for: a schema may hold itself. */
const DEEPEST = 3;
const MOST_ITEMS = 4;
const LONG = 3_000;
const INT32 = 2 ** 31;

/**
 * Values for JSON Schemas of a document, with what programs get wrong among them: edges of numbers, other scripts, nothing, and very
 * much. Most of them are valid; a validator has the last word.
 */
export function createValues(document: object): (schema: unknown) => Values {
  const known = new Map<string, Values>();
  const valuesFor = (schema: unknown, depth: number): Values => {
    const reference = isJsonObject(schema) ? schema['$ref'] : undefined;
    const key = `${String(reference)} ${depth}`;
    const values = (reference === undefined ? undefined : known.get(key)) ?? makeValues(schema, depth);
    known.set(key, values);
    return values;
  };
  const makeValues = (schema: unknown, depth: number): Values => {
    // A schema that asks for itself without end.
    if (depth > 2 * DEEPEST) return fc.constant(null);
    const here = simplify(document, schema);
    const within = (part: unknown): Values => valuesFor(part, depth + 1);
    if (here['const'] !== undefined) return fc.constant(here['const']);
    if (Array.isArray(here['enum'])) return oneOf(here['enum']);
    for (const keyword of ['oneOf', 'anyOf']) {
      const branches = here[keyword];
      if (!Array.isArray(branches) || branches.length === 0) continue;
      const { [keyword]: _, ...rest } = here;
      const chosen = depth > DEEPEST ? branches.slice(0, 1) : branches;
      return fc.oneof(...chosen.map((branch) => within({ allOf: [rest, branch] })));
    }
    return fc.oneof(...listTypes(here).map((type) => valuesOfType(type, here, within, depth)));
  };
  return (schema) => valuesFor(schema, 0);
}

/** There may be more than a call takes as arguments. */
function oneOf(values: readonly Json[]): Values {
  return fc.noBias(fc.nat(Math.max(0, values.length - 1))).map((index) => values[index] ?? null);
}

function valuesOfType(type: string, schema: JsonObject, within: (part: unknown) => Values, depth: number): Values {
  switch (type) {
    case 'string':
      return texts(schema);
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.oneof(integers(schema), numbers(schema));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return lists(schema, within, depth);
    case 'object':
      return objects(schema, within, depth);
    default:
      return fc.constant(null);
  }
}

/** A schema without references and `allOf` at its top. */
function simplify(document: object, schema: unknown, open: ReadonlySet<string> = new Set()): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { $ref: reference, allOf, ...rest } = schema;
  const parts: unknown[] = Array.isArray(allOf) ? allOf : [];
  if (typeof reference === 'string' && !open.has(reference)) {
    const target = valueAtPath(document, fromPointer(decodeURIComponent(reference.slice(1))));
    return merge(rest, simplify(document, target, new Set([...open, reference])));
  }
  return parts.reduce<JsonObject>((whole, part) => merge(whole, simplify(document, part, open)), rest);
}

function merge(one: JsonObject, other: JsonObject): JsonObject {
  const required = [one['required'], other['required']].flatMap((names) => (Array.isArray(names) ? names : []));
  const properties = { ...Object(one['properties']), ...Object(other['properties']) };
  return {
    ...one,
    ...other,
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  };
}

function listTypes(schema: JsonObject): string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type, ...(schema['nullable'] === true ? ['null'] : [])];
  if (Array.isArray(type) && type.length > 0) return type.map(String);
  if ('properties' in schema || 'required' in schema) return ['object'];
  if ('items' in schema) return ['array'];
  if ('minimum' in schema || 'maximum' in schema) return ['number'];
  return ['string', 'integer', 'boolean'];
}

/** What is often taken for something else on its way, and what takes more than one unit. */
const CHARACTERS = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...'abcxyzABC0189') },
  { weight: 2, arbitrary: fc.constantFrom(...' -_.,:;/\\\'"<>&%+#?=@()[]{}|$!*') },
  { weight: 2, arbitrary: fc.constantFrom('é', 'ß', 'İ', 'я', '漢', 'ع', '\u00a0', '😀', '👩‍👩‍👧') },
);

const BY_FORMAT: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  uuid: () => fc.uuid(),
  'date-time': () =>
    fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
  date: () =>
    fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  time: () => fc.constantFrom('00:00:00Z', '23:59:59Z', '12:30:00+02:00'),
  email: () => fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.example$/),
  uri: () => fc.webUrl({ withQueryParameters: true }),
  url: () => fc.webUrl(),
  hostname: () => fc.domain(),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  byte: () => fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64')),
};

function texts(schema: JsonObject): Values {
  const least = readNumber(schema, 'minLength') ?? 0;
  const most = readNumber(schema, 'maxLength') ?? Infinity;
  const { format, pattern } = schema;
  const known = typeof format === 'string' ? BY_FORMAT[format] : undefined;
  if (known !== undefined) return known();
  if (typeof pattern === 'string') return matching(pattern) ?? fc.constant('');
  const upTo = Math.min(most, least + 24);
  const some = fc.string({ unit: CHARACTERS, minLength: least, maxLength: Math.max(least, upTo) });
  const edges = [least, ...(most <= LONG ? [most] : [LONG])].flatMap((length) =>
    ['x', '漢', '😀'].map((one) => one.repeat(length)),
  );
  return fc.oneof({ weight: 6, arbitrary: some }, { weight: 1, arbitrary: fc.constantFrom(...edges) });
}

function matching(pattern: string): Values | undefined {
  try {
    return fc.stringMatching(compilePattern(pattern));
  } catch {
    // A look-ahead, say.
    return undefined;
  }
}

function integers(schema: JsonObject): Values {
  const [from, to] = findBounds(schema);
  const step = readNumber(schema, 'multipleOf') ?? 1;
  const [least, most] = [Math.ceil(removeDust(from / step)), Math.floor(removeDust(to / step))];
  if (least > most) return fc.constant(removeDust(least * step));
  const near = (middle: number): number => Math.min(most, Math.max(least, middle));
  const some = fc.integer({ min: near(-1_000), max: near(1_000) });
  const edges = [from, to, 0, -1, INT32 - 1, INT32, -INT32 - 1].map((edge) => near(Math.trunc(edge / step)));
  const isBounded = ['format', 'minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'].some(
    (keyword) => keyword in schema,
  );
  // JSON knows no largest integer, and text none either.
  const huge = isBounded ? [] : [2 ** 63, -(2 ** 63), 1e20];
  return fc
    .oneof({ weight: 3, arbitrary: some }, { weight: 2, arbitrary: fc.constantFrom(...edges, ...huge) })
    .map((value) => removeDust(value * step));
}

function numbers(schema: JsonObject): Values {
  const [from, to] = findBounds(schema);
  const options = { noNaN: true, noDefaultInfinity: true };
  if (schema['multipleOf'] !== undefined || from > to) return integers(schema);
  return fc.oneof(
    fc.double({ ...options, min: Math.max(from, -1_000), max: Math.max(Math.max(from, -1_000), Math.min(to, 1_000)) }),
    fc.double({ ...options, min: from, max: to }),
  );
}

function findBounds(schema: JsonObject): [from: number, to: number] {
  const widest = schema['format'] === 'int32' ? INT32 - 1 : Number.MAX_SAFE_INTEGER;
  const above = readNumber(schema, 'exclusiveMinimum');
  const below = readNumber(schema, 'exclusiveMaximum');
  return [
    Math.max(readNumber(schema, 'minimum') ?? -widest, above === undefined ? -Infinity : above + 1),
    Math.min(readNumber(schema, 'maximum') ?? widest, below === undefined ? Infinity : below - 1),
  ];
}

function lists(schema: JsonObject, within: (part: unknown) => Values, depth: number): Values {
  const minLength = readNumber(schema, 'minItems') ?? 0;
  const most = Math.max(minLength, depth > DEEPEST ? 0 : MOST_ITEMS);
  const maxLength = Math.min(readNumber(schema, 'maxItems') ?? most, most);
  const items = within(schema['items']);
  const options = { minLength, maxLength: Math.max(minLength, maxLength) };
  return schema['uniqueItems'] === true
    ? fc.uniqueArray(items, { ...options, selector: (item) => JSON.stringify(item) })
    : fc.array(items, options);
}

/** What only answers hold is not sent. */
function objects(schema: JsonObject, within: (part: unknown) => Values, depth: number): Values {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const all: [string, unknown][] = Object.entries(Object(schema['properties']));
  const sent = all.filter(([, part]) => Object(part).readOnly !== true);
  const chosen = depth > DEEPEST ? sent.filter(([name]) => required.includes(name)) : sent;
  const requiredKeys = chosen.map(([name]) => name).filter((name) => required.includes(name));
  return fc
    .record(Object.fromEntries(chosen.map(([name, part]) => [name, within(part)])), { requiredKeys })
    .map((value): Json => value);
}

function readNumber(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}
