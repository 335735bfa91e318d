import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ElementSchema, EventSchema, PropertySchema } from './event-schema.ts';
import { findProblem } from './ingest/event-rules.ts';
import { EVENT_LIMITS } from './limits.ts';
import { CanonicalTexts, deriveShape } from './shape.ts';
import { eventSchema, anyOrder } from './testing/schemas.ts';

const canonicalText = (schema: EventSchema): string => new CanonicalTexts().ofSchema(schema);

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
        const same = canonicalText(one) === canonicalText(other);
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

test('the canonical text keeps every property with its type', () => {
  fc.assert(
    fc.property(eventSchema, (schema) => {
      const canonical: EventSchema = JSON.parse(canonicalText(schema));
      expect(canonical.map(({ name, type }) => [name, type])).toEqual(
        schema.map(({ name, type }) => [name.toWellFormed(), type]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
      );
      expect(canonicalText(canonical)).toEqual(JSON.stringify(canonical));
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

test('lists in lists are put in order once, however many are around them', () => {
  let looked = 0;
  const counted: ElementSchema = Object.defineProperty({} as ElementSchema, 'type', {
    enumerable: true,
    get: () => ((looked += 1), 'int'),
  });
  const nest = (levels: number): ElementSchema =>
    levels === 0 ? counted : { type: 'list', items: [nest(levels - 1), { type: 'string' }] };
  const schema: EventSchema = [{ name: 'list', ...nest(9) }];
  const texts = new CanonicalTexts();
  expect(findProblem(schema, EVENT_LIMITS, texts)).toBeUndefined();
  deriveShape('Viewed', schema, texts);
  expect(looked).toBe(1);
});
