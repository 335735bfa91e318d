import type { CompiledQuery, Transaction } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import { placeShapeKey } from '../place-keys.ts';
import { inKeyOrder } from '../rows.ts';
import { findPlaceShapes, type PlaceShape } from './existing-shapes.ts';
import type { PendingCount } from './pending-count.ts';

/** What finds which of these counts have their shapes in their places: see {@link findLost}. */
export function compileCountedShapes(
  tx: Transaction<Tables>,
  workspaceId: string,
  pending: readonly PendingCount[],
): CompiledQuery<PlaceShape>[] {
  const keys = new Map(
    pending.map((count) => {
      const { event_key, source, app_version, environment, shape_id } = count;
      return [placeShapeKey(count, shape_id), { event_key, source, app_version, environment, shape_id }];
    }),
  );
  return findPlaceShapes.compile(tx, workspaceId, inKeyOrder(keys));
}

/**
 * The counts of shapes that the database does not have in their places. What is counted was stored before, so the database has
 * lost it since. A row made of the count alone would have no name, and stand for the shape ever after.
 *
 * @param found what {@link compileCountedShapes} found
 */
export function findLost(pending: readonly PendingCount[], found: readonly PlaceShape[]): ReadonlySet<PendingCount> {
  const there = new Set(found.map((row) => placeShapeKey(row, row.shape_id)));
  return new Set(pending.filter((count) => !there.has(placeShapeKey(count, count.shape_id))));
}
