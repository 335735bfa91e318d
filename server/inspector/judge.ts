import { takeTurn } from '@branchline/runtime';
import { LRUCache } from 'lru-cache';
import { checkItem } from '../generated/wiring.ts';
import type { EventLimits } from './limits.ts';
import { type SlotTable, slotTable } from './message-slots.ts';
import { cut } from './quoted.ts';
import { excessOf, problemOf } from './rules.ts';
import { type Shape, shapeOf } from './shape.ts';

/** An event that keeps the contract. */
export interface SoundEvent {
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
export interface Judgement {
  sound: SoundEvent[];
  refused: RefusedEvent[];
}

type Verdict = Omit<SoundEvent, 'index'> | { reason: string };

/** How many characters of schemas are remembered together with what was found about them. */
const REMEMBERED_CHARACTERS = 16 * 1024 * 1024;

/** A longer schema is judged anew each time, so that a few of them can't drive out all the others. */
const LONGEST_REMEMBERED = 64 * 1024;

/** How many characters of schemas are judged at a time, which takes some milliseconds. */
const CHARACTERS_IN_A_TURN = 65_536;

/** The most characters that a reason has. */
const MAX_REASON = 400;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Judges the events of a batch one at a time. An app sends the same few schemas over and over, so those that were found sound
 * are remembered by their JSON text, and only the rest of such an event is looked at again.
 */
export class Judge {
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
   * Large batches are judged in pieces, so that other requests are served in between.
   *
   * @param holder whom the work counts for
   */
  async judge(events: readonly unknown[], holder = ''): Promise<Judgement> {
    const judgement: Judgement = { sound: [], refused: [] };
    let judged = 0;
    for (const [index, event] of events.entries()) {
      const excess = excessOf(asObject(event).schema, this.#limits);
      if (excess !== undefined) {
        judgement.refused.push({ index, messageId: readableId(event), reason: excess });
        continue;
      }
      const text = schemaText(event);
      judged += text.length;
      if (judged > CHARACTERS_IN_A_TURN) {
        await takeTurn(holder);
        judged = text.length;
      }
      const verdict = this.#judgeOne(event, text);
      if ('shape' in verdict) judgement.sound.push({ index, ...verdict });
      else judgement.refused.push({ index, messageId: readableId(event), reason: cut(verdict.reason, MAX_REASON) });
    }
    return judgement;
  }

  #judgeOne(event: unknown, text: string): Verdict {
    const known = this.#shapes.get(text);
    const checked = checkItem('EventReport', known === undefined ? event : { ...asObject(event), schema: [] });
    if ('problem' in checked) return { reason: checked.problem };
    const { messageId, eventName, schema, observedAt } = checked.item;
    const slot = slotTable(observedAt);
    if (known !== undefined) return { messageId, slot, shape: known };
    const problem = problemOf(schema, this.#limits);
    if (problem !== undefined) return { reason: problem };
    const shape = shapeOf(eventName, schema);
    this.#shapes.set(text, shape);
    return { messageId, slot, shape };
  }
}

/** All that decides an event's shape. No sound event shares the text of one that is not. */
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
