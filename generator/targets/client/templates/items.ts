import { piecesOf } from './text-pieces.ts';

/** What is sent as a JSON stream: all items, or each as it is made. */
export type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

/** What each item of an `application/json-seq` begins with (RFC 7464). */
const RECORD = '\u001E';

function isSequence(type: string): boolean {
  return type === 'application/json-seq';
}

/** The items of an answer, as they come. They can be read once; whoever stops reading ends the request. */
export async function* readItems(
  body: ReadableStream<Uint8Array> | null,
  type: string,
  parse: (text: string) => unknown,
): AsyncGenerator<unknown, void, undefined> {
  if (body === null) return;
  for await (const piece of piecesOf(body, isSequence(type) ? RECORD : /\r?\n/)) {
    if (piece.trim() !== '') yield parse(piece);
  }
}

/** Items as a body. What is made while it is sent is a stream, which browsers do not send yet. */
export function writeItems(items: Items<unknown>, type: string): string | ReadableStream<Uint8Array> {
  const write = (item: unknown): string => `${isSequence(type) ? RECORD : ''}${JSON.stringify(item)}\n`;
  if (!(Symbol.asyncIterator in items)) return Array.from(items, write).join('');
  const iterator = items[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const taken = await iterator.next();
      if (taken.done === true) controller.close();
      else controller.enqueue(encoder.encode(write(taken.value)));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
