import type { Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { type Delivery, joined } from './delivery.ts';
import { ENVIRONMENTS } from './limits.ts';
import { type FreshMessages, messageKey } from './messages.ts';
import { inKeyOrder, isOneOf, portions } from './rows.ts';
import type { ObservedShapeRow, PlaceColumns } from './tables.ts';
import { type Known, releaseKey, rowKey, shapeKey } from './tally.ts';

/** A shape in a place, as the columns of its row's key. */
type RowKey = PlaceColumns & Pick<ObservedShapeRow, 'event_key' | 'shape_id'>;

/** Looks up what a tally of the fresh messages of these deliveries needs to know. */
export async function lookUpKnown(
  tx: Transaction<Tables>,
  deliveries: readonly Delivery[],
  fresh: FreshMessages,
  maxShapes: number,
): Promise<Known> {
  const wanted = wantedRows(deliveries, fresh);
  const here = await findRows(tx, inKeyOrder(wanted));
  const rows = new Set(here.map((row) => rowKey(row, row.shape_id)));
  const missing = [...wanted].filter(([key]) => !rows.has(key)).map(([, row]) => row);
  const elsewhere = await findRows(
    tx,
    missing.flatMap((row) => [...inEachEnvironment(row)]),
  );
  const shapes = new Set([...here, ...elsewhere].map((row) => shapeKey(row, row.shape_id)));
  return { rows, shapes, room: await findRoom(tx, missing, maxShapes) };
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

async function findRows(tx: Transaction<Tables>, keys: readonly RowKey[]): Promise<RowKey[]> {
  const found: RowKey[] = [];
  for (const portion of portions(keys)) {
    const rows = await tx
      .selectFrom('observed_shapes')
      .select(['workspace_id', 'event_key', 'source', 'app_version', 'environment', 'shape_id'])
      .where(isOneOf(portion))
      .execute();
    found.push(...rows);
  }
  return found;
}

async function findRoom(
  tx: Transaction<Tables>,
  places: readonly PlaceColumns[],
  maxShapes: number,
): Promise<Map<string, number>> {
  const room = new Map(places.map((place) => [releaseKey(place), maxShapes]));
  const releases = new Map(
    places.map(({ workspace_id, source, app_version }) => [
      joined(workspace_id, source, app_version),
      { workspace_id, source, app_version },
    ]),
  );
  for (const portion of portions([...releases.values()])) {
    const totals = await tx.selectFrom('shape_totals').selectAll().where(isOneOf(portion)).execute();
    for (const total of totals) room.set(releaseKey(total), maxShapes - total.shapes);
  }
  return room;
}
