import { gunzipSync } from 'node:zlib';
import { isJsonObject, type JsonObject } from '@branchline/contract';
import type { Answer } from './answer.ts';

/** A request that came to the sink, and what the sink did with it. */
export interface CapturedRequest {
  /** When it began, in milliseconds of the recording. */
  readonly at: number;
  /** The same in milliseconds since 1970. */
  readonly wall: number;
  /** `elsewhere` is the origin that redirects lead to. */
  readonly where: 'service' | 'elsewhere';
  readonly connection: number;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly [string, string][];
  /** As much of it as was read. */
  readonly body: Buffer;
  /** The body as text, decompressed. */
  readonly text: string;
  /** What the text holds, where it looks like a batch. */
  readonly batch: SentBatch | undefined;
  /** Why the text is not all that was sent; left out where it is. */
  readonly fault?: ReadingFault;
  readonly answer: Answer | undefined;
  /** The ids of shapes of which the receipt asks for the schemas. */
  unknownShapeIds?: readonly string[];
  /** Filled in when the answer is out. */
  answered?: Answered;
}

/** What went back. */
export interface Answered {
  readonly at: number;
  /** Before it no request was to come, in milliseconds of the recording. */
  readonly notBefore?: number;
  readonly status?: number;
  readonly headers: readonly [string, string][];
  readonly body: string;
}

/**
 * `endless`: the body has more than is read of any; `bomb`: what it decompresses to has; `unreadable`: it is gzip that can't be
 * decompressed; `broken`: the connection ended before the body; `garbage`: what came is no request of HTTP.
 */
export type ReadingFault = 'endless' | 'bomb' | 'unreadable' | 'broken' | 'garbage';

/** As much of a batch as can be read, whether or not it is as the contract wants it. */
export interface SentBatch {
  readonly json: JsonObject;
  readonly batchId: string;
  /** No more than a batch may have. */
  readonly events: readonly SentEvent[];
}

export interface SentEvent {
  readonly messageId: string;
  readonly eventName: string;
  readonly observedAt: string;
  readonly schema: unknown;
  /** What it has instead of a schema. */
  readonly shapeId?: string;
}

/** Whether the receipt asks for the schema of an event of the request. */
export function isAskedFor({ shapeId }: SentEvent, { unknownShapeIds = [] }: CapturedRequest): boolean {
  return shapeId !== undefined && unknownShapeIds.includes(shapeId);
}

export const MAX_BODY_BYTES = 1_048_576;
export const MAX_EVENTS = 1_000;
/** What the sink itself reads of a body, as sent and decompressed. */
export const MAX_READ_BYTES = 2 * MAX_BODY_BYTES;
/** More than twice what the deepest schema has that is allowed. */
const MAX_JSON_DEPTH = 100;

/** Whether a body is gzip, by its first bytes; the header is checked elsewhere. */
export function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** A body as text, and why it is none. */
export interface BodyText {
  readonly text: string;
  readonly fault?: ReadingFault;
}

/** Reads a body, decompressing it. */
export function readText(body: Buffer): BodyText {
  if (!isGzip(body)) return { text: body.toString('utf8') };
  try {
    return { text: gunzipSync(body, { maxOutputLength: MAX_READ_BYTES }).toString('utf8') };
  } catch (error) {
    const isTooLong = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { text: '', fault: isTooLong ? 'bomb' : 'unreadable' };
  }
}

/** Reads what looks like a batch, leniently. */
export function parseBatch(text: string): SentBatch | undefined {
  const json = parseJson(text);
  if (!isJsonObject(json) || !Array.isArray(json['events']) || isDeeperThan(MAX_JSON_DEPTH, json)) return undefined;
  const events = json['events'].slice(0, MAX_EVENTS).filter(isJsonObject).map(toEvent);
  return { json, batchId: String(json['batchId']), events };
}

function toEvent({ messageId, eventName, observedAt, schema, shapeId }: JsonObject): SentEvent {
  const event = { messageId: String(messageId), eventName: String(eventName), observedAt: String(observedAt), schema };
  return shapeId === undefined ? event : { ...event, shapeId: String(shapeId) };
}

/** Recursive functions read this JSON, so its depth is bounded. */
function isDeeperThan(levels: number, json: unknown): boolean {
  let level: unknown[] = [json];
  for (let depth = 0; depth < levels && level.length > 0; depth += 1) level = level.flatMap(listChildren);
  return level.length > 0;
}

function listChildren(json: unknown): unknown[] {
  return typeof json === 'object' && json !== null ? Object.values(json) : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
