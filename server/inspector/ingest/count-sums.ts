import { totalKey } from './event-totals.ts';
import type { PlaceEventCount, PlaceShapeCount } from './observations.ts';
import { toDay, toHourColumn, NO_HOURS } from '../hours.ts';
import { joinKey } from './delivery.ts';
import type { PendingCount } from './pending-count.ts';
import { placeEventKey, placeShapeKey } from '../place-keys.ts';
import { entry } from '../rows.ts';
import type { CountColumns, EventTotalRow, EventVolumeRow, SourceShapeRow } from '../tables.ts';
import { volumeKey } from './volumes.ts';

/** Sums what is pending in a workspace up to what is added to each row. */
export class CountSums {
  readonly placeShapes = new Map<string, PlaceShapeCount>();
  readonly placeEvents = new Map<string, PlaceEventCount>();
  readonly shapes = new Map<string, SourceShapeRow>();
  readonly totals = new Map<string, EventTotalRow>();
  readonly volumes = new Map<string, EventVolumeRow>();
  readonly #workspaceId: string;

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
  }

  add(pending: PendingCount): void {
    const { event_key, shape_id, source, app_version, environment } = pending;
    const shape = entry(this.shapes, joinKey(event_key, shape_id, source, environment), () => ({
      workspace_id: this.#workspaceId,
      event_key,
      shape_id,
      source,
      environment,
      ...NOT_SEEN,
    }));
    see(shape, pending);
    if (pending.addsToPlaces) this.#addToPlace(pending);
    see(this.#total({ environment, event_key, source }), pending);
    see(this.#total({ environment: '', event_key, source }), pending);
    see(this.#total({ environment: '', event_key: '', source }), pending);
    for (const key of [event_key, '']) for (const version of [app_version, '']) this.#addVolume(key, version, pending);
  }

  #addToPlace(pending: PendingCount): void {
    const { event_key, shape_id, source, app_version, environment } = pending;
    const workspace_id = this.#workspaceId;
    const place = { workspace_id, event_key, source, app_version, environment };
    see(
      entry(this.placeShapes, placeShapeKey(place, shape_id), () => ({ ...place, shape_id, ...NOT_SEEN })),
      pending,
    );
    see(
      entry(this.placeEvents, placeEventKey(place, event_key), () => ({ ...place, ...NOT_SEEN })),
      pending,
    );
  }

  #total(key: Pick<EventTotalRow, 'environment' | 'event_key' | 'source'>): EventTotalRow {
    return entry(this.totals, totalKey(key), () => ({
      workspace_id: this.#workspaceId,
      ...key,
      versions: 0,
      shapes: 0,
      newest_versions: '[]',
      ...NOT_SEEN,
    }));
  }

  #addVolume(event_key: string, app_version: string, { source, environment, first_seen, count }: PendingCount): void {
    const key = { event_key, app_version, day: toDay(first_seen), source, environment };
    const row = entry(this.volumes, volumeKey(key), () => ({ workspace_id: this.#workspaceId, ...key, ...NO_HOURS }));
    row[toHourColumn(first_seen)] += count;
  }
}

const NOT_SEEN = { count: 0, first_seen: Infinity, last_seen: -Infinity };

function see(row: CountColumns, { count, first_seen, last_seen }: CountColumns): void {
  row.count += count;
  row.first_seen = Math.min(row.first_seen, first_seen);
  row.last_seen = Math.max(row.last_seen, last_seen);
}
