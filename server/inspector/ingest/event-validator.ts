import { takeTurn } from '@branchline/runtime';
import { LRUCache } from 'lru-cache';
import { checkItem } from '../../generated/wiring.ts';
import type { EventLimits } from '../limits.ts';
import { type SlotTable, slotTable } from './message-slots.ts';
import { truncate } from '../truncate.ts';
import { findExcess, findProblem } from './event-rules.ts';
import { type Shape, deriveShape } from '../shape.ts';

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

/** An event that is refused, as the receipt names it. */
export interface RefusedEvent {
  /** Its place in the batch, from 0. */
  index: number;
  /** As the client wrote it; null where it had none that can be read. */
  messageId: string | null;
  reason: string;
}

/** Every event of a batch, in one of two lists; each keeps the order of the batch. */
export interface ValidatedEvents {
  valid: ValidEvent[];
  refused: RefusedEvent[];
}

type ValidationResult = Omit<ValidEvent, 'index'> | { reason: string };

/** How many characters of schemas are remembered together with what was found about them. */
const REMEMBERED_CHARACTERS = 16 * 1024 * 1024;

/** A longer schema is validated anew each time, so that a few of them can't drive out all the others. */
const LONGEST_REMEMBERED = 64 * 1024;

/** How many characters of schemas are validated at a time, which takes some milliseconds. */
const CHARACTERS_IN_A_TURN = 65_536;

/** The most characters that a reason has. */
const MAX_REASON = 400;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Validates the events of a batch one at a time. An app sends the same few schemas over and over, so those that were found sound
 * are remembered by their JSON text, and only the rest of such an event is looked at again.
 */
export class EventValidator {
  readonly #limits: EventLimits;
  readonly #shapes = new LRUCache<string, Shape>({
    maxSize: REMEMBERED_CHARACTERS,
    maxEntrySize: LONGEST_REMEMBERED,
    sizeCalculation: ({ eventName, schema }, text) => text.length + eventName.length + schema.length,
  });

  constructor(limits: EventLimits) {
    this.#limits = limits;
  }

  /**
   * Large batches are validated in pieces, so that other requests are served in between.
   *
   * @param holder whom the work counts for
   */
  async validate(events: readonly unknown[], holder = ''): Promise<ValidatedEvents> {
    const validated: ValidatedEvents = { valid: [], refused: [] };
    let characters = 0;
    for (const [index, event] of events.entries()) {
      const excess = findExcess(asObject(event).schema, this.#limits);
      if (excess !== undefined) {
        validated.refused.push({ index, messageId: readableId(event), reason: excess });
        continue;
      }
      const text = schemaText(event);
      characters += text.length;
      if (characters > CHARACTERS_IN_A_TURN) {
        await takeTurn(holder);
        characters = text.length;
      }
      const result = this.#validateOne(event, text);
      if ('shape' in result) validated.valid.push({ index, ...result });
      else validated.refused.push({ index, messageId: readableId(event), reason: truncate(result.reason, MAX_REASON) });
    }
    return validated;
  }

  #validateOne(event: unknown, text: string): ValidationResult {
    const known = this.#shapes.get(text);
    const checked = checkItem('EventReport', known === undefined ? event : { ...asObject(event), schema: [] });
    if ('problem' in checked) return { reason: checked.problem };
    const { messageId, eventName, schema, observedAt } = checked.item;
    const slot = slotTable(observedAt);
    if (known !== undefined) return { messageId, slot, shape: known };
    const problem = findProblem(schema, this.#limits);
    if (problem !== undefined) return { reason: problem };
    const shape = deriveShape(eventName, schema);
    this.#shapes.set(text, shape);
    return { messageId, slot, shape };
  }
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

function asObject(value: unknown): { eventName?: unknown; schema?: unknown; messageId?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}
