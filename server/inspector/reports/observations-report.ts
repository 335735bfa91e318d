import { isoTime } from '../../branches/iso-time.ts';
import type { components } from '../../generated/types.ts';
import type { Storage } from '../../storage/storage.ts';
import { chooseOrder } from './index-orders.ts';
import { columnsOf, firstRows, isCounted } from './index-range.ts';
import { type Page, pagingBy, readPage, type ReportQuery } from './paging.ts';
import { eachWithSchema, type SizedShape, sizeOfSchema, withSizes } from './schema-look-up.ts';
import { parseSchema } from '../stored-schema.ts';
import type { ObservedEventRow, ObservedShapeRow, ShapeRow } from '../tables.ts';

type ObservedEvent = components['schemas']['ObservedEvent'];
type ObservedShape = components['schemas']['ObservedShape'];

/**
 * The events of a workspace, one entry for each name in a source, environment and app version.
 *
 * @returns undefined when the cursor is not one of this report and filter
 */
export async function observedEvents(
  storage: Storage,
  workspaceId: string,
  query: ReportQuery,
): Promise<Page<ObservedEvent> | undefined> {
  const order = chooseOrder(query);
  const paging = pagingBy(order, workspaceId, query);
  if (paging === undefined) return undefined;
  let rows = storage.db
    .selectFrom('observed_events')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(isCounted);
  for (const column of columnsOf(order)) rows = rows.orderBy(column);
  return readPage(
    paging,
    (after, count) => rows.where(after).limit(firstRows(count)).execute(),
    (row) => row.event_name.length,
    async (rows) => rows.map(eventView),
  );
}

/**
 * The shapes of a workspace, one entry for each in a source, environment and app version.
 *
 * @returns undefined when the cursor is not one of this report and filter
 */
export async function observedShapes(
  storage: Storage,
  workspaceId: string,
  query: ReportQuery,
): Promise<Page<ObservedShape> | undefined> {
  const { fixed, sorted } = chooseOrder(query);
  const order = { fixed, sorted: [...sorted, 'shape_id'] } as const;
  const paging = pagingBy(order, workspaceId, query);
  if (paging === undefined) return undefined;
  let seen = storage.db
    .selectFrom('observed_shapes')
    .selectAll()
    .select(sizeOfSchema(workspaceId, 'observed_shapes').as('size'))
    .where('workspace_id', '=', workspaceId)
    .where(isCounted);
  for (const column of columnsOf(order)) seen = seen.orderBy(column);
  return readPage(
    paging,
    async (after, count) => withSizes(await seen.where(after).limit(firstRows(count)).execute()),
    (row) => row.event_name.length + row.size,
    (rows) => viewShapes(storage, workspaceId, rows),
  );
}

function eventView(row: ObservedEventRow): ObservedEvent {
  const { shapes } = row;
  return { ...describeSighting(row), shapes };
}

async function viewShapes(
  { db }: Storage,
  workspaceId: string,
  rows: readonly SizedShape<ObservedShapeRow>[],
): Promise<ObservedShape[]> {
  const entries: ObservedShape[] = [];
  for await (const row of eachWithSchema(db, workspaceId, rows)) entries.push(shapeView(row));
  return entries;
}

function shapeView(row: ObservedShapeRow & Pick<ShapeRow, 'schema'>): ObservedShape {
  return { shapeId: row.shape_id, ...describeSighting(row), schema: parseSchema(row.schema) };
}

/** What both reports say of their entries. */
function describeSighting(row: ObservedEventRow | ObservedShapeRow) {
  return {
    eventName: row.event_name,
    source: row.source,
    environment: row.environment,
    appVersion: row.app_version,
    count: row.count,
    firstSeen: isoTime(row.first_seen),
    lastSeen: isoTime(row.last_seen),
  };
}
