import { takeTurn } from '@branchline/runtime';
import { LRUCache } from 'lru-cache';
import { ManyKeys } from '../../storage/many-keys.ts';
import type { Storage } from '../../storage/storage.ts';
import { eachInTurns } from '../each-in-turns.ts';
import { boundedKey } from '../keys.ts';
import { inKeyOrder } from '../rows.ts';
import { restoreShape, type Shape } from '../shape.ts';
import type { ShapeRow } from '../tables.ts';
import { joinKey } from './delivery.ts';
import type { EventByShapeId, ValidEvent } from './event-validator.ts';

/** Events that were sent by the ids of their shapes. */
export interface ResolvedEvents {
  /** Those whose shape the workspace has. */
  valid: ValidEvent[];
  /** The ids of the others, each once. */
  unknownShapeIds: string[];
}

type ShapeKey = Pick<ShapeRow, 'event_key' | 'shape_id'>;

/** How many characters of schemas are remembered. */
const REMEMBERED_CHARACTERS = 8 * 1024 * 1024;

/** How many bytes of schemas are read for a batch, unless it is a single one: fewer than a batch with schemas may have. */
const READ_BYTES = 256 * 1024;

/** How many events are looked up between turns, since their names may be long, and how many shapes that were found are made. */
const EVENTS_IN_A_TURN = 100;
const SHAPES_IN_A_TURN = 20;

const KEY = ['event_key', 'shape_id'] as const;

const findSizes = new ManyKeys<ShapeKey, ShapeKey & { bytes: number }>('shapes', KEY, [
  ...KEY,
  'octet_length(schema) as bytes',
]);
const findSchemas = new ManyKeys<ShapeKey, ShapeKey & Pick<ShapeRow, 'schema'>>('shapes', KEY, [...KEY, 'schema']);

/**
 * Finds shapes by their ids. An id means something only in a workspace that was brought its schema with an event of the same
 * name; so an id that somebody makes up finds nothing. One process has one.
 */
export class KnownShapes {
  readonly #storage: Pick<Storage, 'db' | 'lives'>;
  /** By the life of the database, event and id. What is stored stays as long as that. */
  readonly #shapes = new LRUCache<string, Shape>({
    maxSize: REMEMBERED_CHARACTERS,
    sizeCalculation: ({ eventName, schema }, key) => key.length + eventName.length + schema.length,
  });

  constructor(storage: Pick<Storage, 'db' | 'lives'>) {
    this.#storage = storage;
  }

  /** Costs no look-up where all are remembered, otherwise one, and another for the schemas of what it finds. */
  async resolve(workspaceId: string, events: readonly EventByShapeId[]): Promise<ResolvedEvents> {
    const life = this.#storage.lives.nameOf(workspaceId);
    const shapes = new Map<string, Shape>();
    const missing = new Map<string, ShapeKey>();
    const names = new EventKeys();
    for await (const { eventName, shapeId } of eachInTurns(workspaceId, events, EVENTS_IN_A_TURN)) {
      const event_key = names.keyOf(eventName);
      const key = joinKey(event_key, shapeId);
      const shape = this.#shapes.get(joinKey(life, key));
      if (shape !== undefined) shapes.set(key, shape);
      else missing.set(key, { event_key, shape_id: shapeId });
    }
    const found = await this.#read(workspaceId, inKeyOrder(missing));
    for await (const { event_key, shape_id, schema } of eachInTurns(workspaceId, found, SHAPES_IN_A_TURN)) {
      const shape = restoreShape({ id: shape_id, eventName: names.nameOf(event_key), schema });
      shapes.set(joinKey(event_key, shape_id), shape);
      this.#shapes.set(joinKey(life, event_key, shape_id), shape);
    }
    return split(events, names, shapes);
  }

  async #read(workspaceId: string, keys: readonly ShapeKey[]) {
    const found = await findSizes.execute(this.#storage.db, workspaceId, keys);
    await takeTurn(workspaceId);
    return findSchemas.execute(this.#storage.db, workspaceId, chooseWithin(READ_BYTES, found));
  }
}

/** The names of a batch's events and their keys: to make one of a long name takes some microseconds. */
class EventKeys {
  readonly #keys = new Map<string, string>();
  readonly #names = new Map<string, string>();

  keyOf(eventName: string): string {
    const known = this.#keys.get(eventName);
    if (known !== undefined) return known;
    const key = boundedKey(eventName);
    this.#keys.set(eventName, key);
    this.#names.set(key, eventName);
    return key;
  }

  nameOf(eventKey: string): string {
    return this.#names.get(eventKey) ?? '';
  }
}

/** The first of them that have no more bytes together than that; at least one, if there is one. */
function chooseWithin(mostBytes: number, found: readonly (ShapeKey & { bytes: number })[]): ShapeKey[] {
  let sum = 0;
  return found.filter(({ bytes }, index) => (sum += bytes) <= mostBytes || index === 0);
}

function split(
  events: readonly EventByShapeId[],
  names: EventKeys,
  shapes: ReadonlyMap<string, Shape>,
): ResolvedEvents {
  const valid: ValidEvent[] = [];
  const unknown = new Set<string>();
  for (const { eventName, shapeId, ...event } of events) {
    const shape = shapes.get(joinKey(names.keyOf(eventName), shapeId));
    if (shape === undefined) unknown.add(shapeId);
    else valid.push({ ...event, shape });
  }
  return { valid, unknownShapeIds: [...unknown] };
}
