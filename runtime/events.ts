import type { Chunks } from './streams.ts';

/** One event of a `text/event-stream`. Without data it tells the client nothing but its id, and keeps the connection open. */
export interface ServerSentEvent<Data = unknown> {
  /** A text goes as it is, all else as JSON. */
  data?: Data;
  /** What a client that comes back sends as `Last-Event-ID`. */
  id?: string;
  /** Left out: `message`. */
  event?: string;
  /** How long a client is to wait before it comes back; in milliseconds. */
  retry?: number;
}

/** The body of a `text/event-stream`: all of its events, or each as it happens. */
export type Events<Data = unknown> = Iterable<ServerSentEvent<Data>> | AsyncIterable<ServerSentEvent<Data>>;

/** Says nothing: a line that clients skip. */
const COMMENT = ':';

/**
 * Events as they are sent. It begins at once, since the first event may be long in coming.
 *
 * @param checkData - Gives what is to be sent for an event's data, or throws.
 */
export function streamEvents(events: Events, checkData?: (data: unknown, index: number) => unknown): Chunks {
  return {
    [Symbol.asyncIterator]() {
      const iterator = Symbol.asyncIterator in events ? events[Symbol.asyncIterator]() : events[Symbol.iterator]();
      let hasBegun = false;
      let count = 0;
      const print = (event: ServerSentEvent): string => {
        if (checkData === undefined || event.data === undefined) return printEvent(event);
        count += 1;
        return printEvent({ ...event, data: checkData(event.data, count - 1) });
      };
      return {
        async next() {
          if (!hasBegun) {
            hasBegun = true;
            return { done: false, value: `${COMMENT}\n\n` };
          }
          const taken = await iterator.next();
          return taken.done === true ? { done: true, value: undefined } : { done: false, value: print(taken.value) };
        },
        async return() {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** One event on the wire (HTML, Server-sent events, 9.2.5). */
function printEvent({ data, id, event, retry }: ServerSentEvent): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${requireOneLine(event)}`]),
    ...(id === undefined ? [] : [`id: ${requireOneLine(id)}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(data === undefined ? [COMMENT] : printData(data)),
  ];
  return `${lines.join('\n')}\n\n`;
}

function printData(data: unknown): string[] {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`);
}

function requireOneLine(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new TypeError('The name or id of an event has a line break or U+0000.');
  return text;
}
