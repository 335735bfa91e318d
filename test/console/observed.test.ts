import { describe, expect, it } from 'vitest';
import {
  type DescribedProperty,
  describeProperties,
  describeShape,
} from '../../console/src/inspector/described-schema.ts';
import { jsonSchemaText } from '../../console/src/inspector/json-schema.ts';
import { kotlinMapText } from '../../console/src/inspector/kotlin-map.ts';
import { escapeUnseen, visibleText } from '../../console/src/parts/visible-text.ts';

type Reported = Parameters<typeof describeProperties>[0][number];

function reported(property: string[], count: number, types: Record<string, number>): Reported {
  return {
    property,
    presence: 1,
    count,
    types: Object.entries(types).map(([type, count]) => ({
      type,
      count,
      seenIn: [{ source: 'shop', environment: 'prod', appVersion: '1' }],
    })),
    firstSeen: '2026-01-02T03:04:05.678Z',
    lastSeen: '2026-01-02T03:04:05.678Z',
  };
}

const MERGED = describeProperties(
  [
    reported(['items', '[]', 'sku'], 8, { string: 8 }),
    reported(['items'], 10, { 'list<null|object>': 8, 'list<list<int>>': 2 }),
    reported(['price'], 10, { float: 7, string: 3 }),
    reported(['user', 'age'], 4, { int: 4 }),
    reported(['user', 'name'], 3, { string: 3 }),
    reported(['user'], 5, { object: 4, null: 1 }),
    reported(['whatever'], 1, { unknown: 1 }),
  ],
  10,
);

describe('what the shapes of an event are together', () => {
  it('as JSON Schema', () => {
    expect(JSON.parse(jsonSchemaText('Paid', MERGED))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Paid',
      type: 'object',
      properties: {
        items: {
          anyOf: [
            {
              type: 'array',
              items: { anyOf: [{ type: 'null' }, { type: 'object', properties: { sku: { type: 'string' } } }] },
            },
            { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
          ],
        },
        price: { type: ['number', 'string'] },
        user: {
          anyOf: [
            {
              type: 'object',
              properties: { age: { type: 'integer' }, name: { type: 'string' } },
              required: ['age'],
            },
            { type: 'null' },
          ],
        },
        whatever: {},
      },
      required: ['items', 'price'],
    });
  });

  it('as a Kotlin map, in which the most frequent type stands', () => {
    expect(kotlinMapText('Paid', MERGED)).toBe(`import app.service.inspector.ServiceEventSchemaType

val schema: Map<String, ServiceEventSchemaType> = mapOf(
    "items" to ServiceEventSchemaType.ServiceList(setOf(ServiceEventSchemaType.ServiceNull(), ServiceEventSchemaType.ServiceObject(mapOf(
        "sku" to ServiceEventSchemaType.ServiceString(),
    )))), // also list<list<int>>
    "price" to ServiceEventSchemaType.ServiceFloat(), // also string
    "user" to ServiceEventSchemaType.ServiceObject(mapOf(
        "age" to ServiceEventSchemaType.ServiceInt(),
        "name" to ServiceEventSchemaType.ServiceString(),
    )), // also null
    "whatever" to ServiceEventSchemaType.ServiceUnknownType(),
)

inspector.trackSchema("Paid", schema)`);
  });
});

describe('a shape', () => {
  const shape: DescribedProperty[] = describeShape([
    { name: '__proto__', type: 'list', items: [] },
    { name: 'o', type: 'object', properties: [{ name: 'i', type: 'int' }] },
  ]);

  it('has all of its properties', () => {
    const schema = jsonSchemaText('Paid', shape);
    expect(schema).toContain('"__proto__": {\n      "type": "array"\n    }');
    expect(JSON.parse(schema)).toMatchObject({
      properties: { o: { properties: { i: { type: 'integer' } }, required: ['i'] } },
      required: ['__proto__', 'o'],
    });
  });

  it('without properties is an empty map', () => {
    expect(kotlinMapText('Paid', [])).toContain('val schema: Map<String, ServiceEventSchemaType> = mapOf()\n');
  });
});

describe('whatever a name holds', () => {
  it('it can be seen', () => {
    expect(visibleText('a\u202Eb\n\u0000 c\u00A0\u{E0001}')).toBe('a⟨U+202E⟩b⟨U+000A⟩⟨U+0000⟩ c⟨U+00A0⟩⟨U+E0001⟩');
    expect(visibleText('a\u200Db')).toBe('a⟨U+200D⟩b');
  });

  it.each(['Product Viewed', 'مرحبا', '名前', '❤️ liked', '👩🏽‍🚀 left', 'e\u0301'])('%s is shown as it is', (name) => {
    expect(visibleText(name)).toBe(name);
  });

  it('it is copied so that nothing hides in it, and means the same', () => {
    const name = '"$x"\\\n\u202E\u{E0001}';
    const json = jsonSchemaText(name, []);
    expect(JSON.parse(json)).toMatchObject({ title: name });
    expect(json).toContain(String.raw`"\"$x\"\\\n\u202e\udb40\udc01"`);
    expect(kotlinMapText(name, [])).toContain(String.raw`trackSchema("\"\$x\"\\\u000a\u202e\udb40\udc01", schema)`);
    expect(escapeUnseen('plain')).toBe('plain');
  });
});
