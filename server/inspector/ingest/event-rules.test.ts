import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { ElementSchema, EventSchema } from '../event-schema.ts';
import { findExcess, findProblem } from './event-rules.ts';
import { CanonicalTexts } from '../shape.ts';
import { nested } from '../testing/batches.ts';
import { eventSchema } from '../testing/schemas.ts';

const LIMITS = { maxDepth: 10, maxProperties: 500, maxPathCharacters: 65_536, maxElementTypes: 1_000 };

const list = (...items: ElementSchema[]): ElementSchema => ({ type: 'list', items });
const nestedLists = (levels: number): ElementSchema => (levels === 0 ? { type: 'int' } : list(nestedLists(levels - 1)));
const wide = (count: number): EventSchema =>
  Array.from({ length: count }, (_, index) => ({ name: `p${index}`, type: 'int' }));

test('a schema that keeps the contract has no problem', () => {
  fc.assert(
    fc.property(eventSchema, (schema) => {
      expect(findProblem(schema, LIMITS)).toBeUndefined();
    }),
  );
});

describe('nesting', () => {
  test('10 levels are allowed, of objects and of lists', () => {
    expect(findProblem(nested(10), LIMITS)).toBeUndefined();
    expect(findProblem([{ name: 'list', ...nestedLists(9) }], LIMITS)).toBeUndefined();
  });

  test('11 are not', () => {
    expect(findProblem(nested(11), LIMITS)).toBe(
      'Property "level.level.level.level.level.level.level.level.level.level.leaf" is nested deeper than 10 levels.',
    );
    expect(findProblem([{ name: 'list', ...nestedLists(10) }], LIMITS)).toBe(
      'Property "list.[].[].[].[].[].[].[].[].[].[]" is nested deeper than 10 levels.',
    );
  });
});

test('of what is nested too deep nothing is compared, which would take the longer the deeper it is', () => {
  const texts = new CanonicalTexts();
  const ofElement = vi.spyOn(texts, 'ofElement');
  const deep = (levels: number): ElementSchema =>
    levels === 0 ? { type: 'int' } : list({ type: 'string' }, deep(levels - 1));
  expect(findProblem([{ name: 'list', ...deep(26) }], LIMITS, texts)).toMatch('is nested deeper than 10 levels.');
  expect(ofElement).not.toHaveBeenCalled();
});

describe('number of properties', () => {
  const spread = (count: number): EventSchema => [
    { name: 'object', type: 'object', properties: wide(200) },
    { name: 'list', ...list({ type: 'object', properties: wide(count - 202) }) },
  ];

  test('500 at all levels together are allowed', () => {
    expect(findExcess(spread(500), LIMITS)).toBeUndefined();
  });

  test('501 are not', () => {
    expect(findExcess(spread(501), LIMITS)).toBe('The event has more than 500 properties.');
  });
});

describe('number of types of elements', () => {
  const lists = (count: number): ElementSchema[] => Array.from({ length: count }, () => list({ type: 'int' }));
  const spread = (count: number): EventSchema => [
    { name: 'one', ...list(...lists(200)) },
    { name: 'object', type: 'object', properties: [{ name: 'other', ...list(...lists((count - 400) / 2)) }] },
  ];

  test('1,000 at all levels together are allowed', () => {
    expect(findExcess(spread(1_000), LIMITS)).toBeUndefined();
  });

  test('1,002 are not', () => {
    expect(findExcess(spread(1_002), LIMITS)).toBe("The event's lists name more than 1000 types of elements.");
  });

  test('whatever else a schema may hold is for others to check', () => {
    for (const schema of [undefined, null, 1, 'text', {}, [null, 1, [[]], { items: 1, properties: null }]]) {
      expect(findExcess(schema, LIMITS)).toBeUndefined();
    }
  });

  test('counting ends where there are too many', () => {
    let looked = 0;
    const entry = Object.defineProperty({}, 'items', { enumerable: true, get: () => void (looked += 1) });
    findExcess(
      Array.from({ length: 100_000 }, () => entry),
      LIMITS,
    );
    expect(looked).toBe(1_000);
  });
});

describe('what no valid schema has is not looked at', () => {
  const TOO_LARGE =
    "The event's schema is larger than any with at most 500 properties, 1000 types of elements and 65536 characters of names.";

  test.for<[what: string, schema: unknown]>([
    ['values in a list', Array(500_000).fill(1)],
    ['lists in a list', Array.from({ length: 200_000 }, () => [])],
    ['values where a name should be', [{ name: Array(500_000).fill(null), type: 'int' }]],
    ['members of a property', [Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`x${at}`, 1]))]],
    ['characters of a name', [{ name: '\u0001'.repeat(200_000), type: 'int' }]],
    ['characters of types', Array.from({ length: 200 }, () => ({ name: '', type: 'x'.repeat(1_000) }))],
  ])('%s', ([, schema]) => {
    expect(findExcess(schema, LIMITS)).toBe(TOO_LARGE);
  });

  test.for(['x', '😀'])('one that has the most of everything is, with names of %s', (character) => {
    const properties = wide(400).map((property, at) => ({
      ...property,
      name: `${at}${character}`.padStart(160, character),
    }));
    const lists = Array.from({ length: 100 }, (_, at) => ({ name: `l${at}`, ...list(...Array(10).fill(list())) }));
    expect(findExcess([...properties, ...lists], LIMITS)).toBeUndefined();
  });
});

describe('what is said twice', () => {
  test.for<[what: string, schema: EventSchema, problem: string]>([
    [
      'a property of the event',
      [
        { name: 'a', type: 'int' },
        { name: 'a', type: 'string' },
      ],
      'The event has two properties named "a".',
    ],
    [
      'a property of an object',
      [
        {
          name: 'user',
          type: 'object',
          properties: [
            { name: 'a', type: 'int' },
            { name: 'a', type: 'int' },
          ],
        },
      ],
      'Property "user" has two properties named "a".',
    ],
    [
      'a name twice in an object whose name looks like a path',
      [
        {
          name: 'a.b',
          type: 'object',
          properties: [
            {
              name: '[]',
              type: 'object',
              properties: [
                { name: 'c', type: 'int' },
                { name: 'c', type: 'int' },
              ],
            },
          ],
        },
      ],
      'Property "a\\.b.\\[]" has two properties named "c".',
    ],
    [
      'a type of elements',
      [{ name: 'tags', ...list({ type: 'int' }, { type: 'int' }) }],
      'Property "tags" names a type of its elements twice.',
    ],
    [
      'a type of elements, in another order',
      [
        {
          name: 'tags',
          ...list(
            {
              type: 'object',
              properties: [
                { name: 'a', type: 'int' },
                { name: 'b', type: 'int' },
              ],
            },
            {
              type: 'object',
              properties: [
                { name: 'b', type: 'int' },
                { name: 'a', type: 'int' },
              ],
            },
          ),
        },
      ],
      'Property "tags" names a type of its elements twice.',
    ],
    [
      'a name that is the same once it is stored',
      [
        { name: '\ud800', type: 'int' },
        { name: '\ud801', type: 'int' },
      ],
      'The event has two properties named "\ufffd".',
    ],
  ])('%s', ([, schema, problem]) => {
    expect(findProblem(schema, LIMITS)).toBe(problem);
  });

  test('two objects may have a property of the same name', () => {
    const inner = { type: 'object' as const, properties: [{ name: 'a', type: 'int' as const }] };
    expect(
      findProblem(
        [
          { name: 'one', ...inner },
          { name: 'two', ...inner },
        ],
        LIMITS,
      ),
    ).toBeUndefined();
  });
});

test('a sentence repeats at most 100 characters of a name', () => {
  const name = 'x'.repeat(1_024);
  expect(
    findProblem(
      [
        { name, type: 'int' },
        { name, type: 'int' },
      ],
      LIMITS,
    ),
  ).toBe(`The event has two properties named "${'x'.repeat(99)}…".`);
});

describe('the paths of all properties', () => {
  /** Objects in each other with long names, and properties in the innermost. */
  const deep = (levels: number, leaves: number): EventSchema =>
    levels === 0
      ? Array.from({ length: leaves }, (_, index) => ({ name: `p${index}`, type: 'int' as const }))
      : [{ name: 'x'.repeat(1_000), type: 'object', properties: deep(levels - 1, leaves) }];

  test('may be long, or many', () => {
    expect(findProblem(deep(5, 5), LIMITS)).toBeUndefined();
    expect(findProblem(deep(0, 500), LIMITS)).toBeUndefined();
  });

  test('may not be both: each costs a row as long as it', () => {
    expect(findProblem(deep(9, 100), LIMITS)).toContain('more than 65536 characters together');
  });

  test('count characters, as the contract does, not units of UTF-16', () => {
    const wide = (names: number): EventSchema =>
      Array.from({ length: names }, (_, at) => ({
        name: '😀'.repeat(1_000) + String(at).padStart(24, '0'),
        type: 'int',
      }));
    expect(findProblem(wide(64), LIMITS)).toBeUndefined();
    expect(findProblem(wide(65), LIMITS)).toContain('characters together');
  });

  test('count what is in lists too', () => {
    const list = (leaves: number): EventSchema => [
      { name: 'x'.repeat(1_000), type: 'list', items: [{ type: 'object', properties: deep(0, leaves) }] },
    ];
    expect(findProblem(list(60), LIMITS)).toBeUndefined();
    expect(findProblem(list(70), LIMITS)).toContain('characters together');
  });
});
