import { takeTurn } from '@branchline/runtime';
import { LRUCache } from 'lru-cache';
import { checkItem } from '../../generated/wiring.ts';
import type { EventLimits } from '../limits.ts';
import { type SlotTable, slotTable } from './message-slots.ts';
import { truncate } from '../truncate.ts';
import { findExcess, findProblem } from './event-rules.ts';
import { isSameJson } from './same-json.ts';
import { CanonicalTexts, type Shape, deriveShape } from '../shape.ts';

/** An event that keeps the contract. */
export interface ValidEvent {
  /** Its place in the batch, from 0. */
  index: number;
  /** As the client wrote it. */
  messageId: string;
  /** The table that remembers the message. */
  slot: SlotTable;
  shape: Shape;
}

/** An event that keeps the contract and has its shape's id instead of a schema. */
export interface EventByShapeId extends Omit<ValidEvent, 'shape'> {
  eventName: string;
  shapeId: string;
}

/** An event that is refused, as the receipt names it. */
export interface RefusedEvent {
  /** Its place in the batch, from 0. */
  index: number;
  /** As the client wrote it; null where it had none that can be read. */
  messageId: string | null;
  reason: string;
}

/** Every event of a batch, in one of three lists; each keeps the order of the batch. */
export interface ValidatedEvents {
  valid: ValidEvent[];
  byShapeId: EventByShapeId[];
  refused: RefusedEvent[];
}

type ValidationResult = Omit<ValidEvent, 'index'> | Omit<EventByShapeId, 'index'> | { reason: string };

/** How many characters of schemas are remembered together with what was found about them. */
const REMEMBERED_CHARACTERS = 16 * 1024 * 1024;

/** A longer schema is validated anew each time, so that a few of them can't drive out all the others. */
const LONGEST_REMEMBERED = 64 * 1024;

/** How long events are validated at a time, in milliseconds. One that is made to be hard takes as long by itself. */
const TURN_MS = 2;

/** The most characters that a reason has. */
const MAX_REASON = 400;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** How many characters of schemas are remembered as they were read, which takes some four times as much memory. */
const LAST_CHARACTERS = 4 * 1024 * 1024;

/** A schema that was found sound. */
interface SoundSchema {
  schema: unknown;
  /** As JSON. */
  characters: number;
  shape: Shape;
}

/**
 * Validates the events of a batch one at a time. An app sends the same few schemas over and over, so those that were found sound
 * are remembered by their JSON text, and that of each event's name which was sent last also as it was read, since to compare it
 * costs less than to make the text. Only the rest of such an event is looked at again.
 */
export class EventValidator {
  readonly #limits: EventLimits;
  readonly #now: () => number;
  readonly #shapes = new LRUCache<string, Shape>({
    maxSize: REMEMBERED_CHARACTERS,
    maxEntrySize: LONGEST_REMEMBERED,
    sizeCalculation: ({ eventName, schema }, text) => text.length + eventName.length + schema.length,
  });
  /** By the event's name. */
  readonly #last = new LRUCache<string, SoundSchema>({
    maxSize: LAST_CHARACTERS,
    maxEntrySize: LONGEST_REMEMBERED,
    sizeCalculation: ({ characters }) => characters,
  });

  /** @param now milliseconds of any monotonic clock */
  constructor(limits: EventLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Batches are validated in pieces that take about as long, whatever is wrong with their events, so that other requests are
   * served in between.
   *
   * @param holder whom the work counts for
   */
  async validate(events: readonly unknown[], holder = ''): Promise<ValidatedEvents> {
    const validated: ValidatedEvents = { valid: [], byShapeId: [], refused: [] };
    let turnEnds = this.#now() + TURN_MS;
    for (const [index, event] of events.entries()) {
      if (this.#now() >= turnEnds) {
        await takeTurn(holder);
        turnEnds = this.#now() + TURN_MS;
      }
      add(validated, index, event, this.#validateOne(event));
    }
    return validated;
  }

  #validateOne(event: unknown): ValidationResult {
    const { schema, shapeId } = asObject(event);
    const last = shapeId === undefined ? this.#findLast(event) : undefined;
    if (last !== undefined) return checkRest(event, last);
    const excess = findExcess(schema, this.#limits);
    if (excess !== undefined) return { reason: excess };
    return shapeId === undefined ? this.#validateUnlikeLast(event) : checkByShapeId(event);
  }

  #findLast(event: unknown): Shape | undefined {
    const { eventName, schema } = asObject(event);
    const last = typeof eventName === 'string' ? this.#last.get(eventName) : undefined;
    return last !== undefined && isSameJson(last.schema, schema) ? last.shape : undefined;
  }

  #validateUnlikeLast(event: unknown): ValidationResult {
    const text = schemaText(event);
    const known = this.#shapes.get(text);
    const result = known === undefined ? this.#validateWhole(event) : checkRest(event, known);
    if (!('shape' in result)) return result;
    const { shape } = result;
    const { eventName, schema } = asObject(event);
    if (known === undefined) this.#shapes.set(text, shape);
    if (typeof eventName === 'string') this.#last.set(eventName, { schema, characters: text.length, shape });
    return result;
  }

  #validateWhole(event: unknown): ValidationResult {
    const checked = checkItem('EventReport', event);
    if ('problem' in checked) return { reason: checked.problem };
    const { messageId, eventName, schema = [], observedAt } = checked.item;
    const texts = new CanonicalTexts();
    const problem = findProblem(schema, this.#limits, texts);
    if (problem !== undefined) return { reason: problem };
    return { messageId, slot: slotTable(observedAt), shape: deriveShape(eventName, schema, texts) };
  }
}

/** Validates an event whose schema and name are known to be sound. */
function checkRest(event: unknown, shape: Shape): ValidationResult {
  const checked = checkItem('EventReport', { ...asObject(event), schema: [] });
  if ('problem' in checked) return { reason: checked.problem };
  const { messageId, observedAt } = checked.item;
  return { messageId, slot: slotTable(observedAt), shape };
}

function checkByShapeId(event: unknown): ValidationResult {
  const checked = checkItem('EventReport', event);
  if ('problem' in checked) return { reason: checked.problem };
  const { messageId, eventName, shapeId = '', observedAt } = checked.item;
  return { messageId, slot: slotTable(observedAt), eventName: eventName.toWellFormed(), shapeId };
}

function add(validated: ValidatedEvents, index: number, event: unknown, result: ValidationResult): void {
  const { valid, byShapeId, refused } = validated;
  if ('shape' in result) valid.push({ index, ...result });
  else if ('shapeId' in result) byShapeId.push({ index, ...result });
  else refused.push({ index, messageId: readableId(event), reason: truncate(result.reason, MAX_REASON) });
}

/** All that decides an event's shape. No valid event shares the text of one that is not. */
function schemaText(event: unknown): string {
  const { eventName, schema } = asObject(event);
  return JSON.stringify([eventName, schema]);
}

function readableId(event: unknown): string | null {
  const { messageId } = asObject(event);
  return typeof messageId === 'string' && UUID.test(messageId) ? messageId : null;
}

function asObject(value: unknown): { eventName?: unknown; schema?: unknown; shapeId?: unknown; messageId?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}
