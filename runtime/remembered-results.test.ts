import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractSchemas, makeReference } from './contract-schemas.ts';
import { rememberResults } from './remembered-results.ts';
import { chooseError } from './validation-errors.ts';

type Json = Record<string, unknown>;

const NAMES = ['A', 'B', 'C'];
const refer = (name: string): Json => ({ $ref: `contract#/${name}` });

/** What stands where a schema refers to others, or to itself. */
const references = fc.letrec<{ inner: Json }>((tie) => {
  const some = fc.array(tie('inner'), { minLength: 2, maxLength: 2 });
  return {
    inner: fc.oneof(
      { maxDepth: 1, depthSize: 'small' },
      fc.constantFrom(...NAMES).map(refer),
      fc.record({ oneOf: some }),
      fc.record({ anyOf: some }),
      fc.record({ allOf: some }),
      fc.record({ not: tie('inner') }),
      fc.record({ if: tie('inner'), else: tie('inner') }),
      fc.record({ anyOf: some, unevaluatedProperties: fc.constant(false), unevaluatedItems: fc.constant(false) }),
    ),
  };
}).inner;

const optional = { requiredKeys: [] };

const shapes = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom<Json>({ type: 'number' }, { type: ['string', 'null'] }, { not: { const: 1 } }),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        type: fc.constant('object'),
        properties: fc.record({ a: references, b: references, k: fc.constantFrom({}, { const: 1 }) }, optional),
        patternProperties: fc.record({ '[ab]': references }),
        required: fc.subarray(['a', 'b']),
        additionalProperties: fc.oneof(fc.constant(false), references),
        unevaluatedProperties: fc.constant(false),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        type: fc.constant('array'),
        prefixItems: fc.array(references, { minLength: 1, maxLength: 2 }),
        items: references,
        contains: references,
        unevaluatedItems: fc.constant(false),
      },
      { requiredKeys: ['type'] },
    ),
  },
);

/** Schemas that refer to each other, by every keyword that can. */
const definitions = fc
  .tuple(fc.constantFrom('anyOf', 'oneOf', 'anyOf', 'allOf'), fc.array(shapes, { minLength: 2, maxLength: 3 }))
  .map(([word, all]): Json => ({ [word]: all }));
const documents = fc.record(Object.fromEntries(NAMES.map((name) => [name, definitions])));

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'max' },
    fc.constantFrom<unknown>(0, 1, 'a', null),
    fc.record({ a: tie('value'), b: tie('value'), k: fc.constantFrom(1, 'x') }, { requiredKeys: ['k'] }),
    fc.array(tie('value'), { minLength: 4, maxLength: 8, size: 'max' }),
  ),
})).value;

function compile(document: Json, isRemembering: boolean, options: { allErrors?: boolean } = {}): ValidateFunction {
  const plain = new Ajv2020({ strict: false, logger: false, validateSchema: false, verbose: true, ...options });
  const ajv = isRemembering ? rememberResults(plain) : plain;
  return ajv.addSchema(structuredClone(document), 'contract').compile(refer('A'));
}

/** What is told of a value; `undefined` where a schema refers to itself without end. */
function judge(validate: ValidateFunction, value: unknown) {
  try {
    const isValid = validate(value);
    const { instancePath, keyword, message } = chooseError(validate.errors) ?? {};
    return { isValid, instancePath, keyword, message, last: validate.errors?.at(-1)?.keyword };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

describe('results that are remembered', () => {
  it('are those that Ajv has without, and the first error that is told as well', () => {
    fc.assert(
      fc.property(documents, fc.array(values, { minLength: 2, maxLength: 8, size: 'max' }), (document, all) => {
        const [plain, remembering] = [compile(document, false), compile(document, true)];
        for (const value of all) expect(judge(remembering, value)).toEqual(judge(plain, value));
      }),
      { numRuns: 150 },
    );
  });

  it('are the same errors where all are asked for, each once', () => {
    const told = (validate: ValidateFunction) =>
      new Set(
        validate.errors?.map(({ instancePath, keyword, schemaPath }) => [instancePath, keyword, schemaPath].join()),
      );
    fc.assert(
      fc.property(documents, values, (document, value) => {
        const [plain, remembering] = [false, true].map((one) => compile(document, one, { allErrors: true }));
        const [before, after] = [
          judge(plain as ValidateFunction, value),
          judge(remembering as ValidateFunction, value),
        ];
        fc.pre(before !== undefined);
        expect(after?.isValid).toBe(before?.isValid);
        expect(told(remembering as ValidateFunction)).toEqual(told(plain as ValidateFunction));
      }),
      { numRuns: 150 },
    );
  });

  const texts = refer('B');

  it.each([{}, { not: texts }])('are told again without what was added to them: %j', (before) => {
    const document = {
      A: { ...before, anyOf: [{ allOf: [texts], maxItems: 1 }, texts, { allOf: [texts], minItems: 99 }, texts] },
      B: { type: 'array', items: refer('C') },
      C: { type: 'string' },
    };
    const [plain, remembering] = [false, true].map((one) => {
      const validate = compile(document, one, { allErrors: true });
      expect(validate(Array.from({ length: 40 }, (_, at) => at))).toBe(false);
      return validate.errors?.map(({ schemaPath, instancePath }) => [schemaPath, instancePath]);
    });
    expect(remembering).toEqual(plain);
  });
});

const DEPTH = 60;

/** More than any schema here needs to read of a value nested so deep, and less than twice as much for each level would be. */
const MOST_READS = DEPTH * 100;

/** A value nested in itself, which throws rather than being read without end. */
function nest(innermost: unknown, wrap: (inner: PropertyDescriptor) => unknown): unknown {
  let reads = 0;
  let value = innermost;
  for (let level = 0; level < DEPTH; level += 1) {
    const inner = value;
    const get = (): unknown => {
      reads += 1;
      if (reads > MOST_READS) throw new Error(`It is read more than ${MOST_READS} times.`);
      return inner;
    };
    value = wrap({ get, enumerable: true });
  }
  return value;
}

const inObject = (get: PropertyDescriptor): unknown => Object.defineProperty({ k: 1 }, 'a', get);
const inList = (get: PropertyDescriptor): unknown => Object.defineProperty([0], 0, get);
const part = refer('A');
const ofObject = (k: number): Json => ({
  type: 'object',
  properties: { a: part, k: { const: k } },
  required: ['a', 'k'],
});
const ofList = (items: Json): Json => ({ type: 'array', items });

describe('a value nested deep', () => {
  it.each<[string, Json, typeof inObject, unknown, boolean]>([
    ['oneOf of objects', { oneOf: [ofObject(0), ofObject(1), { type: 'number' }] }, inObject, 1, true],
    [
      'oneOf of objects, of which none fits',
      { oneOf: [ofObject(0), ofObject(1), { type: 'number' }] },
      inObject,
      'a',
      false,
    ],
    [
      'oneOf of objects, of which two fit',
      { oneOf: [ofObject(1), ofObject(1), { type: 'number' }] },
      inObject,
      1,
      false,
    ],
    ['anyOf of lists', { anyOf: [ofList(part), ofList({ anyOf: [part, { type: 'number' }] })] }, inList, 1, true],
    ['anyOf of lists, of which none fits', { anyOf: [ofList(part), ofList({ anyOf: [part] })] }, inList, 1, false],
    ['allOf', { allOf: [{ properties: { a: part } }, { properties: { a: part, b: part } }] }, inObject, 1, true],
    [
      'allOf that does not fit',
      { type: 'object', allOf: [{ properties: { a: part } }, { required: ['b'] }] },
      inObject,
      1,
      false,
    ],
    [
      'not',
      { anyOf: [{ type: 'number' }, { not: { not: { properties: { a: part } } }, properties: { a: part } }] },
      inObject,
      1,
      true,
    ],
    ['if', { if: { properties: { a: part }, required: ['b'] }, else: { properties: { a: part } } }, inObject, 1, true],
    ['fields that are named twice', { properties: { a: part }, patternProperties: { '^a': part } }, inObject, 1, true],
    [
      'what is unevaluated',
      { anyOf: [ofObject(1), ofObject(1), { type: 'number' }], unevaluatedProperties: false },
      inObject,
      1,
      true,
    ],
  ])('is read a few times a level: %s', (_, schema, wrap, innermost, isValid) => {
    const validate = contractSchemas({ A: schema }).compile(makeReference('/A'));
    expect(validate(nest(innermost, wrap))).toBe(isValid);
    expect(validate.errors?.length ?? 0).toBeLessThan(DEPTH * 10);
  });

  it('is judged anew each time', () => {
    const schema = { oneOf: [ofObject(0), ofObject(1), { type: 'number' }] };
    const validate = contractSchemas({ A: schema }).compile(makeReference('/A'));
    const innermost = { a: 1, k: 1 };
    const value = nest(innermost, inObject);
    expect(validate(value)).toBe(true);
    innermost.k = 2;
    expect(validate(nest(innermost, inObject))).toBe(false);
    expect(validate(value)).toBe(false);
  });
});
