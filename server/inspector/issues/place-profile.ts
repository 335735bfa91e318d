import { takeTurn } from '@branchline/runtime';
import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { EventSchema } from '../event-schema.ts';
import { propertyTypes } from '../property-types.ts';
import { boundsAmong, readShapes, type ShapeBounds } from '../reports/place-shapes.ts';
import type { ObservedEventRow } from '../tables.ts';
import type { IssueVersionRow } from './tables.ts';

/** The maximum number of event names for a comparison: an app version with more generates them at run time. */
const MOST_EVENTS = 2_000;

/** What is read per event. */
const BOUNDS: ShapeBounds = { ...boundsAmong(1), shapes: 50 };

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
  { source, environment, app_version: appVersion, events }: PlaceProfile,
  eventKey: string,
): Promise<PropertyCounts> {
  const counts = new Map<string, number>();
  let count = 0;
  const event = { eventName: events.get(eventKey)?.event_name ?? '', source, environment, appVersion };
  const hasMore = await readShapes(db, workspaceId, event, BOUNDS, (shape) => {
    const parsed: EventSchema = JSON.parse(shape.schema);
    const paths = new Set(propertyTypes(parsed).map(({ path }) => JSON.stringify(path)));
    for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + shape.count);
    count += shape.count;
  });
  return { counts, count, isWhole: !hasMore };
}
