import { isoTime } from '../../branches/iso-time.ts';
import type { components } from '../../generated/types.ts';
import type { Storage } from '../../storage/storage.ts';
import type { EventSchema } from '../event-schema.ts';
import { settleForReading } from '../ingest/pending-counts.ts';
import { chooseOrder } from './index-orders.ts';
import { type Page, pagingBy, readPage, type ReportQuery } from './paging.ts';
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
  const { fixed, sorted } = chooseOrder(query);
  const paging = pagingBy({ fixed, sorted }, workspaceId, query);
  if (paging === undefined) return undefined;
  await settleForReading(storage, workspaceId);
  const { db } = storage;
  let rows = db
    .selectFrom('observed_events')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('count', '>', 0);
  for (const [column, value] of fixed) rows = rows.where(column, '=', value);
  for (const column of sorted) rows = rows.orderBy(column);
  return readPage(
    paging,
    (after, count) => rows.where(after).limit(count).execute(),
    (row) => row.event_name.length,
    eventView,
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
  const columns = [...sorted, 'shape_id'] as const;
  const paging = pagingBy({ fixed, sorted: columns, table: 'seen' }, workspaceId, query);
  if (paging === undefined) return undefined;
  await settleForReading(storage, workspaceId);
  let seen = storage.db
    .selectFrom('observed_shapes as seen')
    .innerJoin('shapes', (join) =>
      join
        .onRef('shapes.workspace_id', '=', 'seen.workspace_id')
        .onRef('shapes.event_key', '=', 'seen.event_key')
        .onRef('shapes.shape_id', '=', 'seen.shape_id'),
    )
    .selectAll('seen')
    .select('shapes.schema')
    .where('seen.workspace_id', '=', workspaceId)
    .where('shapes.workspace_id', '=', workspaceId)
    .where('seen.count', '>', 0);
  for (const [column, value] of fixed) seen = seen.where(`seen.${column}`, '=', value);
  for (const column of columns) seen = seen.orderBy(`seen.${column}`);
  return readPage(
    paging,
    (after, count) => seen.where(after).limit(count).execute(),
    (row) => row.event_name.length + row.schema.length,
    shapeView,
  );
}

function eventView(row: ObservedEventRow): ObservedEvent {
  const { shapes } = row;
  return { ...describeSighting(row), shapes };
}

function shapeView(row: ObservedShapeRow & Pick<ShapeRow, 'schema'>): ObservedShape {
  const schema: EventSchema = JSON.parse(row.schema);
  return { shapeId: row.shape_id, ...describeSighting(row), schema };
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
