import { v7 } from 'uuid';
import type { CompiledQuery, Transaction } from 'kysely';
import { ManyRows } from '../../storage/many-rows.ts';
import { isTexts, listOf, parseStored, withFields } from '../../storage/stored-json.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Measure } from '../budget.ts';
import { digest } from '../keys.ts';
import { joinKey } from '../ingest/delivery.ts';
import { versionKey } from '../place-keys.ts';
import { entry, inKeyOrder } from '../rows.ts';
import type { Shape } from '../shape.ts';
import type { PlaceColumns } from '../tables.ts';
import type { IssueNewsRow } from './tables.ts';

/** What an event can be refused for. */
export type Bound = Measure | 'versionShapes';

/** What a place was brought that it had not had. Short, since all that is new is written so once. */
export interface PlaceNews extends Omit<PlaceColumns, 'workspace_id'> {
  at: number;
  /** Of each shape whether it is new in the source and environment too, 1 or 0, and how many properties it has. */
  shapes: [eventKey: string, shapeId: string, isNewInSource: number, properties?: number][];
  refused: Bound[];
  /** 1 where it was there before issues were looked for. */
  isOld?: number;
}

const isShape = withFields<PlaceNews['shapes'][number]>({ 0: 'string', 1: 'string', 2: 'number' });
const hasPlace = withFields<PlaceNews>({
  source: 'string',
  app_version: 'string',
  environment: 'string',
  at: 'number',
});

const isNews = listOf(
  (value): value is PlaceNews => hasPlace(value) && listOf(isShape)(value.shapes) && isTexts(value.refused),
);

/**
 * Reads a stored entry.
 *
 * @throws UnreadableValue
 */
export function parseNews(text: string): PlaceNews[] {
  return parseStored('issue_news.news', text, isNews);
}

/** Of what something was accepted before: of the app version, of its source alone, or of neither. */
export type Kept = 'version' | 'source' | 'nothing';

/** How the ids of entries about refusals begin, which come after those that name their time. */
const REFUSAL = 'refused-';

/** Gathers what a group of deliveries brings that may have issues; what is known there brings nothing. */
export class News {
  readonly #places = new Map<string, PlaceNews>();
  /** By the ids of their entries. */
  readonly #refusals = new Map<string, PlaceNews>();

  addShape(place: PlaceColumns, { eventKey, id, properties }: Shape, at: number, isNewInSource: boolean): void {
    this.#of(place, at).shapes.push([eventKey, id, isNewInSource ? 1 : 0, properties]);
  }

  /** There is no end to the sources and app versions of which nothing is kept: they make one entry, of the first that comes. */
  addRefusal({ source, app_version, environment }: PlaceColumns, bound: Bound, at: number, kept: Kept): void {
    const names = { version: [source, app_version], source: [source], nothing: [] }[kept];
    const id = REFUSAL + digest(JSON.stringify([environment, bound, ...names]));
    entry(this.#refusals, id, () => ({ source, app_version, environment, at, shapes: [], refused: [bound] }));
  }

  /** What is put down, by the ids of the entries. */
  entries(): ReadonlyMap<string, readonly PlaceNews[]> {
    const places = [...this.#places.values()];
    const entries = new Map(Array.from(this.#refusals, ([id, place]) => [id, [place]]));
    return places.length === 0 ? entries : entries.set(v7(), places);
  }

  #of(place: PlaceColumns, at: number): PlaceNews {
    const { source, app_version, environment } = place;
    const key = joinKey(versionKey(place), environment);
    return entry(this.#places, key, () => ({ source, app_version, environment, at, shapes: [], refused: [] }));
  }
}

const addEntries = new ManyRows(['workspace_id', 'entry_id', 'news'], (db, rows: readonly IssueNewsRow[]) =>
  db
    .insertInto('issue_news')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * What puts down what is new, as one row, and each refusal that is not yet put down: whether it has issues is found later, so that
 * no batch waits for it.
 */
export function compileNews(tx: Transaction<Tables>, workspaceId: string, news: News): CompiledQuery[] {
  const rows = new Map<string, IssueNewsRow>();
  for (const [entry_id, places] of news.entries()) {
    rows.set(entry_id, { workspace_id: workspaceId, entry_id, news: JSON.stringify(places) });
  }
  return addEntries.compile(tx, inKeyOrder(rows));
}
