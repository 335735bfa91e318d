import { v7 } from 'uuid';
import type { CompiledQuery, Transaction } from 'kysely';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Measure } from '../budget.ts';
import { joinKey } from '../ingest/delivery.ts';
import { versionKey } from '../place-keys.ts';
import { entry } from '../rows.ts';
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

/** Gathers what a group of deliveries brings that may have issues; what is known there brings nothing. */
export class News {
  readonly #places = new Map<string, PlaceNews>();

  addShape(place: PlaceColumns, { eventKey, id, properties }: Shape, at: number, isNewInSource: boolean): void {
    this.#of(place, at).shapes.push([eventKey, id, isNewInSource ? 1 : 0, properties]);
  }

  addRefusal(place: PlaceColumns, bound: Bound, at: number): void {
    const { refused } = this.#of(place, at);
    if (!refused.includes(bound)) refused.push(bound);
  }

  places(): PlaceNews[] {
    return [...this.#places.values()];
  }

  #of(place: PlaceColumns, at: number): PlaceNews {
    const { source, app_version, environment } = place;
    const key = joinKey(versionKey(place), environment);
    return entry(this.#places, key, () => ({ source, app_version, environment, at, shapes: [], refused: [] }));
  }
}

const addEntry = new ManyRows(['workspace_id', 'entry_id', 'news'], (db, rows: readonly IssueNewsRow[]) =>
  db.insertInto('issue_news').values(rows),
);

/** What puts down what is new, as one row: whether it has issues is found later, so that no batch waits for it. */
export function compileNews(tx: Transaction<Tables>, workspaceId: string, news: News): CompiledQuery[] {
  const places = news.places();
  if (places.length === 0) return [];
  return addEntry.compile(tx, [{ workspace_id: workspaceId, entry_id: v7(), news: JSON.stringify(places) }]);
}
