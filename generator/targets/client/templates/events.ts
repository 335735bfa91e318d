import { piecesOf } from './text-pieces.ts';

/** One event of a `text/event-stream`. */
export interface ServerSentEvent<Data> {
  /** `message`, unless the server names it. */
  event: string;
  data: Data;
}

/** The events of an answer, as they come. They can be read once; whoever stops reading ends the request. */
export class EventStream<Data> implements AsyncIterable<ServerSentEvent<Data>> {
  /** Sent as `Last-Event-ID`, it has the server go on from here, if the server does so. */
  lastEventId = '';
  /** How long to wait before asking again, in milliseconds; undefined where the server does not say. */
  retry: number | undefined;
  readonly #body: ReadableStream<Uint8Array> | null;
  readonly #parse: (data: string) => unknown;

  constructor(body: ReadableStream<Uint8Array> | null, parse: (data: string) => unknown) {
    this.#body = body;
    this.#parse = parse;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ServerSentEvent<Data>, void, undefined> {
    if (this.#body === null) return;
    let block: string[] = [];
    // The last may be half of a line end.
    for await (const line of piecesOf(this.#body, /\r\n|\n|\r(?!$)/)) {
      if (line !== '') {
        block.push(line);
        continue;
      }
      const event = this.#eventOf(block);
      block = [];
      if (event !== undefined) yield event;
    }
  }

  /** Of the lines of one event; undefined where they have no data. */
  #eventOf(lines: readonly string[]): ServerSentEvent<Data> | undefined {
    let event = '';
    const data: string[] = [];
    for (const line of lines) {
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'data') data.push(value);
      else if (name === 'event') event = value;
      else if (name === 'id' && !value.includes('\0')) this.lastEventId = value;
      else if (name === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
    }
    if (data.length === 0) return undefined;
    // What it holds is what the generated types say of the contract.
    return { event: event === '' ? 'message' : event, data: this.#parse(data.join('\n')) as Data };
  }
}
