import type { Readable } from 'node:stream';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { refuseTooLarge } from './body-headers.ts';
import { ContractError } from './contract-error.ts';
import { parseJsonInTurns } from './json.ts';
import type { BodyPlan } from './plan.ts';
import type { Chunks } from './streams.ts';
import { chooseError, describeDemand, toFieldName } from './validation-errors.ts';

/** The body of an `application/x-ndjson`, `application/jsonl` or `application/json-seq` reply: all of its items, or each as it is made. */
export type ItemStream<Item = unknown> = Iterable<Item> | AsyncIterable<Item>;

/** In bytes. It is held in memory, as a whole body is. */
const LONGEST_ITEM = 1_048_576;

/**
 * After how much work others have a turn: after so many bytes, where each item counts as some more. Those of two bytes cost some
 * microseconds, too.
 */
const MOST_AT_ONCE = 8_192;
const COST_OF_ITEM = 32;

/** RFC 7464: what each item of a JSON text sequence begins with. */
const RECORD = '\u001E';
const LINE_END = 0x0a;

export function isJsonStream(type: string | undefined): boolean {
  return type !== undefined && /^application\/(?:(?:x-)?ndjson|jsonl|x-jsonlines|json-seq)\b/i.test(type);
}

function isSequence(type: string): boolean {
  return /^application\/json-seq\b/i.test(type);
}

export function isItemStream(body: unknown): body is ItemStream {
  if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return false;
  return Symbol.asyncIterator in body || Symbol.iterator in body;
}

/**
 * Items as they are sent, each in a line of its own.
 *
 * @param check - Gives what is to be sent for an item, or throws.
 */
export function streamItems(
  items: ItemStream,
  type: string,
  check: (item: unknown, index: number) => unknown = (item) => item,
): Chunks {
  const begin = isSequence(type) ? RECORD : '';
  return {
    [Symbol.asyncIterator]() {
      const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
      let count = 0;
      return {
        async next() {
          const taken = await iterator.next();
          if (taken.done === true) return { done: true, value: undefined };
          const text = JSON.stringify(check(taken.value, count)) as string | undefined;
          if (text === undefined) throw new TypeError(`Item ${count + 1} of this reply is no JSON value.`);
          count += 1;
          return { done: false, value: `${begin}${text}\n` };
        },
        async return() {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

export interface ItemReading {
  validate: ValidateFunction | undefined;
  /** Waits until the next items, or the next piece of a large one, may be read. */
  takeTurn: () => Promise<void>;
}

/**
 * Reads the items of a body one by one, as they are asked for: what is not asked for is not read. Each is checked before it is given.
 *
 * What the iteration throws is a ContractError of kind `body` or `too-large`.
 */
export async function* readItems(
  payload: Readable,
  type: string,
  plan: BodyPlan,
  { validate, takeTurn }: ItemReading,
): AsyncGenerator<unknown, void, undefined> {
  let count = 0;
  const separator = isSequence(type) ? RECORD.charCodeAt(0) : LINE_END;
  for await (const bytes of splitItems(payload, separator, plan, takeTurn)) {
    count += 1;
    const item = await parseItem(bytes, count, takeTurn);
    if (validate?.(item) === false) {
      const error = chooseError(validate.errors);
      const field = toFieldName(error?.instancePath ?? '');
      const subject = field === '' ? `Item ${count}` : `The field "${field}" of item ${count}`;
      throw new ContractError('body', `${subject} of the body ${describeDemand(error)}.`);
    }
    yield item;
  }
}

async function parseItem(bytes: Buffer, count: number, takeTurn: () => Promise<void>): Promise<unknown> {
  try {
    return await parseJsonInTurns(bytes, takeTurn);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new ContractError('body', error.message.replace(/^The body\b/, `Item ${count} of the body`));
  }
}

/** What stands between two separators, however it is cut into chunks, unless it is blank. */
async function* splitItems(
  payload: Readable,
  separator: number,
  plan: BodyPlan,
  takeTurn: () => Promise<void>,
): AsyncGenerator<Buffer> {
  let size = 0;
  let work = 0;
  let begun: Buffer[] = [];
  let length = 0;
  const grow = (piece: Buffer): void => {
    length += piece.length;
    if (length > LONGEST_ITEM)
      throw new ContractError('too-large', `An item of the body must not exceed ${LONGEST_ITEM} bytes.`);
    begun.push(piece);
  };
  const finish = (): Buffer => {
    const bytes = Buffer.concat(begun, length);
    work += length + COST_OF_ITEM;
    begun = [];
    length = 0;
    return bytes;
  };
  try {
    for await (const chunk of readChunks(payload)) {
      size += chunk.length;
      if (size > plan.maxBytes) throw refuseTooLarge(plan);
      let from = 0;
      for (let at = chunk.indexOf(separator); at !== -1; at = chunk.indexOf(separator, from)) {
        grow(chunk.subarray(from, at));
        from = at + 1;
        const bytes = finish();
        if (!isBlank(bytes)) yield bytes;
        if (work < MOST_AT_ONCE) continue;
        work = 0;
        await takeTurn();
      }
      grow(chunk.subarray(from));
    }
    const last = finish();
    if (!isBlank(last)) yield last;
  } finally {
    // A client that is still sending gets to read the answer.
    payload.resume();
  }
}

/** The connection stays when the iteration ends early: there is a reply to be sent on it. */
async function* readChunks(payload: Readable): AsyncGenerator<Buffer> {
  try {
    yield* payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw new ContractError('body', 'The body broke off.');
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === LINE_END);
}
