import { expect, test, vi } from 'vitest';
import { EventStream } from './events.ts';

/** A body that comes in these pieces. */
function body(pieces: readonly Uint8Array[], cancel: () => void = () => {}): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
    cancel,
  });
}

const stream = (...pieces: string[]) =>
  new EventStream<string>(body(pieces.map((piece) => Buffer.from(piece))), (data) => data);

test('events have the data of all their lines, and a name', async () => {
  const events = stream('event: late\ndata: a\ndata:b\nother: c\n\n', ': nothing\n\ndata: {}\n\ndata: not whole\n');
  expect(await Array.fromAsync(events)).toEqual([
    { event: 'late', data: 'a\nb' },
    { event: 'message', data: '{}' },
  ]);
});

test('an id is known once its event has been read, and also where it has no data', async () => {
  const events = stream('id: 1\nretry: 500\ndata: a\n\n', 'retry: soon\nid: 2\n\n', 'id: \0\n\n', 'data: b\n\nid: 3');
  const ids = [];
  for await (const { data } of events) ids.push([data, events.lastEventId, events.retry]);
  expect(ids).toEqual([
    ['a', '1', 500],
    ['b', '2', 500],
  ]);
});

test('lines end in any way, wherever the text is cut', async () => {
  const bytes = Buffer.from('\ufeffdata: é1\r\ndata: 2\r\n\r\ndata\n\n:c\rdata: x:y\r\r\n');
  const events = ['é1\n2', '', 'x:y'].map((data) => ({ event: 'message', data }));
  for (const pieces of [[bytes], Array.from(bytes, (byte) => Uint8Array.of(byte))]) {
    expect(await Array.fromAsync(new EventStream(body(pieces), (data) => data))).toEqual(events);
  }
});

test('whoever stops reading ends the request', async () => {
  const cancel = vi.fn();
  const pieces = [Buffer.from('data: a\n\n'), Buffer.from('data: b\n\n')];
  for await (const { data } of new EventStream<string>(body(pieces, cancel), (text) => text)) {
    expect(data).toBe('a');
    break;
  }
  expect(cancel).toHaveBeenCalledOnce();
});

test('a body that breaks off is an error', async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new TypeError('broken')) });
  await expect(Array.fromAsync(new EventStream(broken, (data) => data))).rejects.toThrow('broken');
});
