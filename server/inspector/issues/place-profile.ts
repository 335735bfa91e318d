import { takeTurn } from '@branchline/runtime';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { EventSchema } from '../event-schema.ts';
import { propertyTypes } from '../property-types.ts';
import type { ObservedEventRow } from '../tables.ts';
import type { IssueVersionRow } from './tables.ts';

/** The maximum number of event names for a comparison: an app version with more generates them at run time. */
const MOST_EVENTS = 2_000;

/** The number of shapes read per event. */
const MOST_SHAPES = 50;

/** The events that an app version sent in an environment. */
export interface PlaceProfile extends Pick<IssueVersionRow, 'source' | 'environment' | 'app_version'> {
  /** By their keys. */
  events: ReadonlyMap<string, Pick<ObservedEventRow, 'event_key' | 'event_name' | 'count'>>;
  count: number;
}

/** @returns undefined if it sent too much to compare */
export async function readPlaceProfile(
  db: Kysely<Tables>,
  { workspace_id, source, environment, app_version }: IssueVersionRow,
): Promise<PlaceProfile | undefined> {
  await takeTurn(workspace_id);
  const rows = await db
    .selectFrom('observed_events')
    .select(['event_key', 'event_name', 'count'])
    .where('workspace_id', '=', workspace_id)
    .where('source', '=', source)
    .where('app_version', '=', app_version)
    .where('environment', '=', environment)
    .orderBy('event_key')
    .limit(MOST_EVENTS + 1)
    .execute();
  if (rows.length > MOST_EVENTS) return undefined;
  return {
    source,
    environment,
    app_version,
    events: new Map(rows.map((row) => [row.event_key, row])),
    count: rows.reduce((sum, { count }) => sum + count, 0),
  };
}

/** The number of events with each property. */
export interface PropertyCounts {
  /** By the path as JSON. */
  counts: ReadonlyMap<string, number>;
  /** The number of events. */
  count: number;
  /** Whether these are all events. */
  isWhole: boolean;
}

/** The properties of one event in an app version and environment. */
export async function propertyCounts(
  db: Kysely<Tables>,
  workspaceId: string,
  { source, environment, app_version }: PlaceProfile,
  eventKey: string,
): Promise<PropertyCounts> {
  await takeTurn(workspaceId);
  const { rows } = await sql<{ count: number; schema: string }>`
    select seen.count, shapes.schema
    from observed_shapes as seen join shapes on shapes.workspace_id = seen.workspace_id
      and shapes.event_key = seen.event_key and shapes.shape_id = seen.shape_id
    where seen.workspace_id = ${workspaceId} and shapes.workspace_id = ${workspaceId}
      and seen.event_key = ${eventKey} and seen.source = ${source} and seen.app_version = ${app_version}
      and seen.environment = ${environment}
    order by seen.shape_id limit ${MOST_SHAPES + 1}`.execute(db);
  const counts = new Map<string, number>();
  const read = rows.slice(0, MOST_SHAPES);
  for (const { count, schema } of read) {
    const parsed: EventSchema = JSON.parse(schema);
    const paths = new Set(propertyTypes(parsed).map(({ path }) => JSON.stringify(path)));
    for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + count);
  }
  return { counts, count: read.reduce((sum, { count }) => sum + count, 0), isWhole: rows.length <= MOST_SHAPES };
}
