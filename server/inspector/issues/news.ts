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
import { NewsRoom, type NewsSize, sizeOfShape } from './news-room.ts';
import type { IssueNewsRow } from './tables.ts';

/** What an event can be refused for. */
export type Bound = Measure | 'versionShapes';

/** What a place was brought that it had not had. Short, since all that is new is written so once. */
export interface PlaceNews extends Omit<PlaceColumns, 'workspace_id'> {
  at: number;
  /** Of each shape whether it is new in the source and environment too, 1 or 0, and its size. */
  shapes: [eventKey: string, shapeId: string, isNewInSource: number, properties?: number, characters?: number][];
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

/** For shapes stored without theirs. */
const USUAL_SIZE = { properties: 20, characters: 2_000 };

/** How much it takes to look at what is new in some places. */
export function sizeOfNews(news: readonly PlaceNews[]): NewsSize {
  const size: NewsSize = { shapes: 0, properties: 0, characters: 0 };
  for (const [, , , properties, characters] of news.flatMap((place) => place.shapes)) {
    size.shapes += 1;
    size.properties += properties ?? USUAL_SIZE.properties;
    size.characters += characters ?? USUAL_SIZE.characters;
  }
  return size;
}

/** Of what something was accepted before: of the app version, of its source alone, or of neither. */
export type Kept = 'version' | 'source' | 'nothing';

/** How the ids of entries about refusals begin, which come after those that name their time. */
const REFUSAL = 'refused-';

/** What one entry has, by place. */
interface Part {
  room: NewsRoom;
  places: Map<string, PlaceNews>;
}

/**
 * Gathers what a group of deliveries brings that may have issues; what is known there brings nothing. One entry is of one source, and
 * has no more than one transaction looks at.
 */
export class News {
  readonly #parts: Part[] = [];
  /** Those that may have more, by source. */
  readonly #open = new Map<string, Part>();
  /** By the ids of their entries. */
  readonly #refusals = new Map<string, PlaceNews>();

  addShape(place: PlaceColumns, shape: Shape, at: number, isNewInSource: boolean): void {
    const size = sizeOfShape(shape);
    const { source, app_version, environment } = place;
    const key = joinKey(versionKey(place), environment);
    const news = entry(this.#partFor(source, size).places, key, () => ({
      source,
      app_version,
      environment,
      at,
      shapes: [],
      refused: [],
    }));
    news.shapes.push([shape.eventKey, shape.id, isNewInSource ? 1 : 0, size.properties, size.characters]);
  }

  /** There is no end to the sources and app versions of which nothing is kept: they make one entry, of the first that comes. */
  addRefusal({ source, app_version, environment }: PlaceColumns, bound: Bound, at: number, kept: Kept): void {
    const names = { version: [source, app_version], source: [source], nothing: [] }[kept];
    const id = REFUSAL + digest(JSON.stringify([environment, bound, ...names]));
    entry(this.#refusals, id, () => ({ source, app_version, environment, at, shapes: [], refused: [bound] }));
  }

  /** What is put down, by the ids of the entries. */
  entries(): ReadonlyMap<string, readonly PlaceNews[]> {
    const entries = new Map(Array.from(this.#refusals, ([id, place]) => [id, [place]]));
    for (const { places } of this.#parts) entries.set(v7(), [...places.values()]);
    return entries;
  }

  #partFor(source: string, size: NewsSize): Part {
    const open = this.#open.get(source);
    if (open?.room.take(size) === true) return open;
    const part = { room: new NewsRoom(), places: new Map<string, PlaceNews>() };
    part.room.take(size);
    this.#parts.push(part);
    this.#open.set(source, part);
    return part;
  }
}

const addEntries = new ManyRows(['workspace_id', 'entry_id', 'news'], (db, rows: readonly IssueNewsRow[]) =>
  db
    .insertInto('issue_news')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * What puts down what is new, as few rows, and each refusal that is not yet put down: whether it has issues is found later, so that
 * no batch waits for it.
 */
export function compileNews(tx: Transaction<Tables>, workspaceId: string, news: News): CompiledQuery[] {
  const rows = new Map<string, IssueNewsRow>();
  for (const [entry_id, places] of news.entries()) {
    rows.set(entry_id, { workspace_id: workspaceId, entry_id, news: JSON.stringify(places) });
  }
  return addEntries.compile(tx, inKeyOrder(rows));
}
