import { takeTurn } from '@branchline/runtime';
import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import { propertyTypes } from '../property-types.ts';
import { boundsAmong, readShapes, type ShapeBounds } from '../reports/place-shapes.ts';
import { parseSchema } from '../stored-schema.ts';
import type { ObservedEventRow, PlaceColumns } from '../tables.ts';
import type { IssueVersionRow } from './tables.ts';

/** The maximum number of event names for a comparison: an app version with more generates them at run time. */
const MOST_EVENTS = 2_000;

/** What is read per event. */
const BOUNDS: ShapeBounds = { ...boundsAmong(1), shapes: 50 };

/** How many events are read at a time, since their names may be long. */
const EVENTS_AT_A_TIME = 100;

type ProfileEvent = Pick<ObservedEventRow, 'event_key' | 'event_name' | 'count'>;

/** The events that an app version sent in an environment. */
export interface PlaceProfile extends Pick<IssueVersionRow, 'source' | 'environment' | 'app_version'> {
  /** By their keys. */
  events: ReadonlyMap<string, ProfileEvent>;
  count: number;
}

/** @returns undefined if it sent too much to compare */
export async function readPlaceProfile(db: Kysely<Tables>, place: PlaceColumns): Promise<PlaceProfile | undefined> {
  const events = new Map<string, ProfileEvent>();
  let count = 0;
  let last = '';
  let page: ProfileEvent[];
  do {
    await takeTurn(place.workspace_id);
    page = await readEvents(db, place, last);
    for (const event of page) {
      events.set(event.event_key, event);
      count += event.count;
    }
    if (events.size > MOST_EVENTS) return undefined;
    last = page.at(-1)?.event_key ?? last;
  } while (page.length === EVENTS_AT_A_TIME);
  const { source, environment, app_version } = place;
  return { source, environment, app_version, events, count };
}

function readEvents(
  db: Kysely<Tables>,
  { workspace_id, source, environment, app_version }: PlaceColumns,
  after: string,
): Promise<ProfileEvent[]> {
  return db
    .selectFrom('observed_events')
    .select(['event_key', 'event_name', 'count'])
    .where('workspace_id', '=', workspace_id)
    .where('source', '=', source)
    .where('app_version', '=', app_version)
    .where('environment', '=', environment)
    .where('event_key', '>', after)
    .orderBy('event_key')
    .limit(EVENTS_AT_A_TIME)
    .execute();
}

/** The number of events with each property. */
export interface PropertyCounts {
  /** By the path as JSON. */
  counts: ReadonlyMap<string, number>;
  /** The number of events. */
  count: number;
  /** The number of shapes that they had. */
  shapes: number;
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
  let shapes = 0;
  const event = { eventName: events.get(eventKey)?.event_name ?? '', source, environment, appVersion };
  const hasMore = await readShapes(db, workspaceId, event, BOUNDS, (shape) => {
    const parsed = parseSchema(shape.schema);
    const paths = new Set(propertyTypes(parsed).map(({ text }) => text));
    for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + shape.count);
    count += shape.count;
    shapes += 1;
  });
  return { counts, count, shapes, isWhole: !hasMore };
}
