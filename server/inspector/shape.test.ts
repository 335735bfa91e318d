import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventSchema, PropertySchema } from './event-schema.ts';
import { canonicalSchema, deriveShape } from './shape.ts';
import { eventSchema, anyOrder } from './testing/schemas.ts';

describe('shapeOf', () => {
  test('is the same in whatever order the properties and element types came', () => {
    const pairs = eventSchema.chain((schema) => fc.tuple(fc.constant(schema), anyOrder(schema)));
    fc.assert(
      fc.property(pairs, ([schema, other]) => {
        expect(deriveShape('Viewed', other)).toEqual(deriveShape('Viewed', schema));
      }),
    );
  });

  test('differs wherever the canonical schemas differ', () => {
    fc.assert(
      fc.property(eventSchema, eventSchema, (one, other) => {
        const same = JSON.stringify(canonicalSchema(one)) === JSON.stringify(canonicalSchema(other));
        expect(deriveShape('Viewed', one).id === deriveShape('Viewed', other).id).toBe(same);
      }),
    );
  });

  test('differs between events of different names', () => {
    expect(deriveShape('Viewed', []).id).not.toBe(deriveShape('Bought', []).id);
  });

  test('is fixed: stored ids must mean the same in the next version', () => {
    const schema: EventSchema = [
      { name: 'tags', type: 'list', items: [{ type: 'string' }, { type: 'null' }] },
      { name: 'price', type: 'float' },
    ];
    expect(deriveShape('Product Viewed', schema)).toEqual({
      id: 'b4xbP5sWFXquvWeFOUk6CjKHgkQ19BYHqyhM6Al7DiU',
      eventName: 'Product Viewed',
      eventKey: 'Product Viewed',
      schema:
        '[{"name":"price","type":"float"},{"name":"tags","type":"list","items":[{"type":"null"},{"type":"string"}]}]',
      properties: 2,
      pathCharacters: 9,
    });
  });

  test('half a surrogate pair becomes a character that every engine stores', () => {
    expect(deriveShape('\ud800', [{ name: '\udc00', type: 'int' }])).toMatchObject({
      eventName: '\ufffd',
      schema: '[{"name":"\ufffd","type":"int"}]',
    });
  });
});

test('canonicalSchema keeps every property with its type', () => {
  fc.assert(
    fc.property(eventSchema, (schema) => {
      const canonical = canonicalSchema(schema);
      expect(canonical.map(({ name, type }) => [name, type])).toEqual(
        schema.map(({ name, type }) => [name.toWellFormed(), type]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
      );
      expect(canonicalSchema(canonical)).toEqual(canonical);
    }),
  );
});

test('the order of properties makes no difference at any level, but which there are does', () => {
  const age: PropertySchema = { name: 'age', type: 'int' };
  const name: PropertySchema = { name: 'name', type: 'string' };
  const user = (properties: PropertySchema[]): PropertySchema => ({ name: 'user', type: 'object', properties });
  const users = (properties: PropertySchema[]): PropertySchema => ({
    name: 'users',
    type: 'list',
    items: [{ type: 'object', properties }],
  });
  for (const holding of [user, users]) {
    const { id } = deriveShape('Seen', [holding([age, name])]);
    expect(deriveShape('Seen', [holding([name, age])]).id).toBe(id);
    expect(deriveShape('Seen', [holding([age])]).id).not.toBe(id);
  }
});
