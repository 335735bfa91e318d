import type { Transaction } from 'kysely';
import { ManyRows } from '../storage/many-rows.ts';
import type { Tables } from '../storage/tables.ts';
import type { Delivery } from './delivery.ts';
import { ENVIRONMENTS } from './limits.ts';
import { type FreshMessages, messageKey } from './messages.ts';
import { sum } from './observations.ts';
import { inKeyOrder, isOneOf, portions } from './rows.ts';
import type { ObservedShapeRow, PlaceColumns } from './tables.ts';
import { type Known, releaseKey, rowKey, shapeKey } from './tally.ts';

/** A shape in a place, as the columns of its row's key. */
type RowKey = PlaceColumns & Pick<ObservedShapeRow, 'event_key' | 'shape_id'>;

const ROW_KEY = ['workspace_id', 'event_key', 'source', 'app_version', 'environment', 'shape_id'] as const;

const findRows = new ManyRows(ROW_KEY, (db, keys: readonly RowKey[]) =>
  db.selectFrom('observed_shapes').select(ROW_KEY).where(isOneOf(keys)),
);

/** Looks up what a tally of the fresh messages of these deliveries needs to know. */
export async function lookUpKnown(
  tx: Transaction<Tables>,
  deliveries: readonly Delivery[],
  fresh: FreshMessages,
  maxShapes: number,
): Promise<Known> {
  const wanted = wantedRows(deliveries, fresh);
  const here = await findRows.execute(tx, inKeyOrder(wanted));
  const before = new Set(here.map((row) => rowKey(row, row.shape_id)));
  const missing = [...wanted].filter(([key]) => !before.has(key)).map(([, row]) => row);
  const room = await claimReleases(tx, missing, maxShapes);
  // Looked up only now, since whoever had a release before us may have added the same shapes.
  const everywhere = await findRows.execute(
    tx,
    missing.flatMap((row) => [...inEachEnvironment(row)]),
  );
  const found = [...here, ...everywhere];
  return {
    rows: new Set(found.map((row) => rowKey(row, row.shape_id))),
    shapes: new Set(found.map((row) => shapeKey(row, row.shape_id))),
    room,
  };
}

function wantedRows(deliveries: readonly Delivery[], fresh: FreshMessages): Map<string, RowKey> {
  const wanted = new Map<string, RowKey>();
  for (const delivery of deliveries) {
    for (const event of delivery.events) {
      if (!fresh.has(messageKey(delivery, event))) continue;
      const { eventKey: event_key, id: shape_id } = event.shape;
      wanted.set(rowKey(delivery.place, shape_id), { ...delivery.place, event_key, shape_id });
    }
  }
  return wanted;
}

function* inEachEnvironment(row: RowKey): Iterable<RowKey> {
  for (const environment of ENVIRONMENTS) yield { ...row, environment };
}

/**
 * Locks the totals of the releases until the transaction ends, so that one at a time brings new shapes to each, and neither
 * exceeds the limit nor counts a shape that another has just brought as new.
 *
 * @returns how many further shapes each may have, by {@link releaseKey}
 */
async function claimReleases(
  tx: Transaction<Tables>,
  places: readonly PlaceColumns[],
  maxShapes: number,
): Promise<Map<string, number>> {
  const room = new Map<string, number>();
  const releases = new Map(
    places.map((place) => {
      const { workspace_id, source, app_version } = place;
      return [releaseKey(place), { workspace_id, source, app_version, shapes: 0 }];
    }),
  );
  for (const portion of portions(inKeyOrder(releases))) {
    const totals = await tx
      .insertInto('shape_totals')
      .values(portion)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'source', 'app_version'])
          .doUpdateSet({ shapes: sum('shape_totals', 'shapes') }),
      )
      .returningAll()
      .execute();
    for (const total of totals) room.set(releaseKey(total), maxShapes - total.shapes);
  }
  return room;
}
