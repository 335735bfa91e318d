import { afterEach, expect, test, vi } from 'vitest';
import { createTrimmer } from './reply-trimming.ts';

afterEach(() => vi.restoreAllMocks());

test('a reply of many items has its schemas looked for once', () => {
  const Owner = { type: 'object', properties: { name: {}, secret: { writeOnly: true } } };
  const Row = { type: 'object', properties: { owner: { $ref: '#/components/schemas/Owner' } } };
  const List = { type: 'array', items: { oneOf: [{ $ref: '#/components/schemas/Row' }, { type: 'string' }] } };
  const trim = createTrimmer({ components: { schemas: { Owner, Row, List } } });
  const references = vi.spyOn(globalThis, 'decodeURIComponent');
  const rows = Array.from({ length: 500 }, () => ({ owner: { name: 'a', secret: 'b', more: 1 }, more: 1 }));
  const kept = trim('/components/schemas/List', [...rows, 'text']);
  expect(kept).toEqual([...rows.map(() => ({ owner: { name: 'a' } })), 'text']);
  expect(references.mock.calls.length).toBeLessThan(100);
});
