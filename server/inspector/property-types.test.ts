import { describe, expect, test } from 'vitest';
import type { ElementSchema, EventSchema } from './event-schema.ts';
import { propertyTypes, typeInWords } from './property-types.ts';

describe('typeInWords', () => {
  test.for<[given: ElementSchema, words: string]>([
    [{ type: 'int' }, 'int'],
    [{ type: 'object', properties: [{ name: 'a', type: 'int' }] }, 'object'],
    [{ type: 'list', items: [] }, 'list<>'],
    [{ type: 'list', items: [{ type: 'null' }, { type: 'int' }] }, 'list<int|null>'],
    [{ type: 'list', items: [{ type: 'list', items: [{ type: 'string' }] }] }, 'list<list<string>>'],
    [
      {
        type: 'list',
        items: [
          { type: 'object', properties: [] },
          { type: 'object', properties: [{ name: 'a', type: 'int' }] },
        ],
      },
      'list<object>',
    ],
  ])('%j is %s', ([given, words]) => {
    expect(typeInWords(given)).toBe(words);
  });
});

describe('propertyTypes', () => {
  test('names the properties of objects and of the elements of lists by their paths', () => {
    const schema: EventSchema = [
      { name: 'user', type: 'object', properties: [{ name: 'age', type: 'int' }] },
      {
        name: 'cart',
        type: 'list',
        items: [{ type: 'null' }, { type: 'object', properties: [{ name: 'id', type: 'string' }] }],
      },
      {
        name: 'grid',
        type: 'list',
        items: [{ type: 'list', items: [{ type: 'object', properties: [{ name: 'x', type: 'float' }] }] }],
      },
    ];
    expect(propertyTypes(schema)).toEqual([
      { path: ['user'], text: '["user"]', type: 'object' },
      { path: ['user', 'age'], text: '["user","age"]', type: 'int' },
      { path: ['cart'], text: '["cart"]', type: 'list<null|object>' },
      { path: ['cart', '[]', 'id'], text: '["cart","[]","id"]', type: 'string' },
      { path: ['grid'], text: '["grid"]', type: 'list<list<object>>' },
      { path: ['grid', '[]', '[]', 'x'], text: '["grid","[]","[]","x"]', type: 'float' },
    ]);
  });

  test('never gives two properties one path, whatever they are called', () => {
    const inside = (name: string): EventSchema => [{ name, type: 'int' }];
    const paths = propertyTypes([
      { name: 'a', type: 'list', items: [{ type: 'object', properties: inside('b') }] },
      ...['[]', '\\[]', '\\\\[]', '.', '[0]', '', '\\', 'a.b', 'a[]'].map((name) => ({
        name,
        type: 'object' as const,
        properties: [
          ...inside('b'),
          { name: '[]', type: 'object' as const, properties: inside('b') },
          { name: '\\[]', type: 'object' as const, properties: inside('b') },
        ],
      })),
      { name: 'c', type: 'object', properties: [{ name: '[]', type: 'object', properties: inside('b') }] },
    ]).map(({ path }) => path);
    expect(new Set(paths.map((path) => JSON.stringify(path))).size).toBe(2 + 9 * 6 + 3);
    expect(paths).toEqual(
      expect.arrayContaining([
        ['a', '[]', 'b'],
        ['\\[]', 'b'],
        ['\\\\[]', 'b'],
        ['c', '\\[]', 'b'],
        ['[0]', 'b'],
        ['', 'b'],
      ]),
    );
  });

  test('names a property of several kinds of elements once for each of its types', () => {
    const kind = (type: 'int' | 'string', other: string): ElementSchema => ({
      type: 'object',
      properties: [
        { name: 'value', type },
        { name: other, type: 'null' },
      ],
    });
    const found = propertyTypes([
      { name: 'l', type: 'list', items: [kind('int', 'a'), kind('string', 'b'), kind('int', 'c')] },
    ]);
    expect(found.filter(({ path }) => path.at(-1) === 'value').map(({ type }) => type)).toEqual(['int', 'string']);
  });
});
