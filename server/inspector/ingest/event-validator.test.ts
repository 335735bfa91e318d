import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EventValidator } from './event-validator.ts';
import { EVENT_LIMITS } from '../limits.ts';
import { event, nested, uuid } from '../testing/batches.ts';

const SHAPE_ID = 'b4xbP5sWFXquvWeFOUk6CjKHgkQ19BYHqyhM6Al7DiU';
const TOO_LARGE = Array.from({ length: 501 }, () => ({ name: 'a', type: 'int' as const }));

const makeValidator = () => new EventValidator(EVENT_LIMITS);
const reasonFor = async (sent: unknown, by = makeValidator()) => (await by.validate([sent])).refused[0]?.reason;

test('the limits are those of the contract', () => {
  expect(EVENT_LIMITS).toEqual({ maxDepth: 10, maxProperties: 500, maxPathCharacters: 65_536, maxElementTypes: 1_000 });
});

test('bad events are refused one by one, each list in the order of the batch', async () => {
  const events = [event(), 'nonsense', event({ messageId: uuid(7), schema: nested(11) }), event()];
  const { valid, refused } = await makeValidator().validate(events);
  expect(valid.map(({ index }) => index)).toEqual([0, 3]);
  expect(refused.map(({ index, messageId }) => [index, messageId])).toEqual([
    [1, null],
    [2, uuid(7)],
  ]);
});

test.for<[what: string, sent: unknown]>([
  ['refused for what is beside its schema', event({ ['x'.repeat(500)]: 1 } as never)],
  ['refused for its schema', event({ schema: [{ name: 'a', type: 'date' as never }] })],
  ['refused for its size', event({ schema: TOO_LARGE })],
  ['sent by its id', { ...event(), schema: undefined, shapeId: SHAPE_ID }],
  ['known', event()],
  ['no object', 5],
])('others have their turns while a batch is validated of which each event is %s', async ([, sent]) => {
  let now = 0;
  // `takeTurn` asks for a microtask in each turn that it gives.
  const turns = vi.spyOn(globalThis, 'queueMicrotask');
  onTestFinished(() => turns.mockRestore());
  const validator = new EventValidator(EVENT_LIMITS, () => (now += 0.1));
  await validator.validate(Array.from({ length: 1_000 }, () => sent));
  expect(turns.mock.calls.length).toBeGreaterThan(40);
});

describe('reasons', () => {
  test.for<[what: string, sent: unknown, reason: RegExp]>([
    ['no object', 5, /object/],
    ['null', null, /object/],
    ['a missing field', { ...event(), eventName: undefined }, /eventName/],
    ['an unknown field', { ...event(), value: 12 }, /"value"/],
    ['a value in a property', event({ schema: [{ name: 'a', type: 'int', value: 42 } as never] }), /"value"/],
    ['an unknown type', event({ schema: [{ name: 'a', type: 'date' as never }] }), /schema\[0\]\.type/],
    ['items where there is no list', event({ schema: [{ name: 'a', type: 'int', items: [] }] }), /items/],
    ['a list without items', event({ schema: [{ name: 'a', type: 'list' }] }), /items/],
    ['U+0000 in a name', event({ eventName: 'a\0b' }), /eventName/],
    ['an id that is no UUID', event({ messageId: 'x' }), /messageId/],
    ['a time that is none', event({ observedAt: 'yesterday' }), /observedAt/],
    ['neither a schema nor an id', { ...event(), schema: undefined }, /"schema"/],
    ['both a schema and an id', { ...event(), shapeId: SHAPE_ID }, /"schema"/],
    ['an id of another form', { ...event(), schema: undefined, shapeId: SHAPE_ID.slice(1) }, /shapeId/],
    ['an id that is null', { ...event(), schema: undefined, shapeId: null }, /shapeId/],
    ['an id beside a schema that is too large', { ...event({ schema: TOO_LARGE }), shapeId: SHAPE_ID }, /500/],
    ['too deep', event({ schema: nested(11) }), /deeper than 10 levels/],
  ])('%s', async ([, sent, reason]) => {
    expect(await reasonFor(JSON.parse(JSON.stringify(sent)))).toMatch(reason);
  });

  test('never repeat more of what was sent than a bounded name', async () => {
    const secret = 'secret '.repeat(1_000);
    for (const sent of [event({ [secret]: 1 } as never), event({ messageId: secret }), event({ eventName: secret })]) {
      expect((await reasonFor(sent))?.length).toBeLessThanOrEqual(400);
    }
    expect(await reasonFor(event({ messageId: secret }))).not.toContain('secret');
    expect(await reasonFor(event({ schema: [{ name: 'a', type: secret as never }] }))).not.toContain('secret');
  });
});

test('an id is named only where it is one', async () => {
  const ids = ['not an id', 5, `urn:uuid:${uuid(1)}`, uuid(1).toUpperCase()];
  const { refused } = await makeValidator().validate(ids.map((messageId) => ({ messageId })));
  expect(refused.map(({ messageId }) => messageId)).toEqual([null, null, null, uuid(1).toUpperCase()]);
});

test('an event has either a schema or the id of a shape, and each is told apart', async () => {
  const { schema: _, ...rest } = event({ eventName: 'half \ud800' });
  const { valid, byShapeId, refused } = await makeValidator().validate([event(), { ...rest, shapeId: SHAPE_ID }]);
  expect(valid.map(({ index }) => index)).toEqual([0]);
  expect(byShapeId).toEqual([
    { index: 1, messageId: rest.messageId, slot: valid[0]?.slot, eventName: 'half \ufffd', shapeId: SHAPE_ID },
  ]);
  expect(refused).toEqual([]);
});

describe('a schema that was found valid before', () => {
  const schema = [{ name: 'a', type: 'int' as const }];

  test('gives the same shape without being judged again', async () => {
    const by = makeValidator();
    const [first] = (await by.validate([event({ schema })])).valid;
    const [second] = (await by.validate([event({ schema: structuredClone(schema) })])).valid;
    expect(second?.shape).toBe(first?.shape);
  });

  test('is told from another of the same name, be that sound or not', async () => {
    const by = makeValidator();
    const other = [{ name: 'a', type: 'list' as const, items: [] }];
    const { valid } = await by.validate([schema, other, schema, other].map((one) => event({ schema: one })));
    const ids = valid.map(({ shape }) => shape.id);
    expect(ids).toEqual([ids[0], ids[1], ids[0], ids[1]]);
    expect(ids[0]).not.toBe(ids[1]);
    const hidden = '[{"name":"a","type":"list","__proto__":{}}]';
    expect(await reasonFor(event({ schema: JSON.parse(hidden) }), by)).toMatch(/schema\[0\]/);
  });

  test('does not excuse the rest of the event', async () => {
    const by = makeValidator();
    await by.validate([event({ schema })]);
    expect(await reasonFor(event({ schema, messageId: 'x' }), by)).toMatch(/messageId/);
    expect(await reasonFor({ ...event({ schema }), extra: 1 }, by)).toMatch(/"extra"/);
  });
});
