import type { components } from '../generated/types.ts';
import type { HourColumn } from './hours.ts';
import type { IssueTables } from './issues/tables.ts';
import type { SlotTable } from './ingest/message-slots.ts';

export interface InspectorTables extends Record<SlotTable, SeenMessageRow>, IssueTables {
  sources: SourceRow;
  event_names: EventNameRow;
  shapes: ShapeRow;
  source_shapes: SourceShapeRow;
  app_versions: AppVersionRow;
  observed_events: ObservedEventRow;
  observed_shapes: ObservedShapeRow;
  observed_properties: ObservedPropertyRow;
  observed_types: ObservedTypeRow;
  inspector_usage: UsageRow;
  pending_counts: PendingCountsRow;
  event_totals: EventTotalRow;
  event_volumes: EventVolumeRow;
  volume_days: VolumeDayRow;
  seen_batches: SeenBatchRow;
}

type Environment = components['schemas']['Environment'];

/** Where events were seen. */
export interface PlaceColumns {
  workspace_id: string;
  /** The app that sent them, as its API key names it. */
  source: string;
  app_version: string;
  environment: Environment;
}

export interface CountColumns {
  /** How many events were accepted. */
  count: number;
  /** When the first and the last of them were received. */
  first_seen: number;
  last_seen: number;
}

/** A number for each source of a workspace, which takes less room than its name in rows of which there are many. */
export interface SourceRow {
  workspace_id: string;
  source: string;
  /** From 1. */
  source_number: number;
}

/** One row for each event name of a workspace. */
export interface EventNameRow {
  workspace_id: string;
  /** `boundedKey` of the name. */
  event_key: string;
  event_name: string;
}

/** One row for each distinct shape of a workspace, wherever it was seen. */
export interface ShapeRow {
  workspace_id: string;
  event_key: string;
  shape_id: string;
  /** The schema in canonical form, as JSON. */
  schema: string;
}

/** One row for each source and environment in which a shape was seen, in whatever app version. */
export interface SourceShapeRow extends CountColumns {
  workspace_id: string;
  event_key: string;
  shape_id: string;
  source: string;
  environment: Environment;
}

/** How many distinct shapes one version of an app has, in whatever environment; for the limit on them. */
export interface AppVersionRow {
  workspace_id: string;
  source: string;
  app_version: string;
  shapes: number;
}

/** One row for each event name in a place. */
export interface ObservedEventRow extends PlaceColumns, CountColumns {
  event_key: string;
  event_name: string;
  /** How many rows of `observed_shapes` the event has in this place. */
  shapes: number;
}

/** One row for each distinct shape of an event in a place. */
export interface ObservedShapeRow extends PlaceColumns, CountColumns {
  event_key: string;
  event_name: string;
  shape_id: string;
}

interface PropertyColumns {
  workspace_id: string;
  event_key: string;
  /** `boundedKey` of the path as JSON. */
  path_key: string;
}

/** One row for each property that an event was ever seen with, wherever. */
export interface ObservedPropertyRow extends PropertyColumns {
  event_name: string;
  /** JSON array of the names from the event down to the property. */
  path: string;
  /** `boundedKey` of the type, in words, that it was first seen with. */
  type: string;
  /** 1 once it was seen with another type too; never 0 again. */
  conflicting: number;
}

/** One row for each type that a property was seen with in a source and environment, in whatever app version. */
export interface ObservedTypeRow extends PropertyColumns {
  /** `boundedKey` of the type in words. */
  type: string;
  source: string;
  environment: Environment;
  /** The app version that brought it. */
  first_version: string;
  /** In how many of the shapes of the source and environment. */
  shapes: number;
}

/** How much that was new a workspace has been brought, as a whole and by one source or API key. */
export interface UsageRow {
  workspace_id: string;
  /** `workspace`, `source:<source>` or `key:<key id>`. */
  holder: string;
  app_versions: number;
  event_names: number;
  shapes: number;
  /** Rows of `observed_types`. */
  properties: number;
  /** An estimate of what all its rows take. */
  bytes: number;
}

/** What was accepted in one transaction, and is not yet counted in the rows of events and shapes, `event_totals` and `event_volumes`. */
export interface PendingCountsRow {
  workspace_id: string;
  entry_id: string;
  /** JSON array of `PendingPlace`s. */
  counts: string;
}

/** One row for each event of a source in an environment and in all of them, over all app versions; and one for all events. */
export interface EventTotalRow extends CountColumns {
  workspace_id: string;
  /** Empty for all of them. */
  environment: Environment | '';
  /** Empty for all events; their environment is empty too. */
  event_key: string;
  source: string;
  /** How many app versions have it. */
  versions: number;
  /** How many distinct shapes it has; of all events 0. */
  shapes: number;
  /** JSON array of `[appVersion, firstSeen]`, those that were first seen last. */
  newest_versions: string;
}

/** How many events were accepted in each hour of a day. */
export interface EventVolumeRow extends Record<HourColumn, number> {
  workspace_id: string;
  /** Empty for all events. */
  event_key: string;
  /** Empty for all of them. */
  app_version: string;
  /** `2026-01-02`, UTC. */
  day: string;
  source: string;
  environment: Environment;
}

/** How many rows of `event_volumes` a source has on a day; for the limit on them. */
export interface VolumeDayRow {
  workspace_id: string;
  source: string;
  day: string;
  series: number;
}

/** A message that was counted, or found to be counted already. */
export interface SeenMessageRow {
  workspace_id: string;
  source_number: number;
  /** The 16 bytes of its UUID. */
  message_id: Uint8Array;
}

/** A batch of which every event has its last outcome: sent again, it changes nothing. */
export interface SeenBatchRow {
  workspace_id: string;
  source_number: number;
  /** The 16 bytes of its UUID. */
  batch_id: Uint8Array;
  /** SHA-256 of all that decides the outcome of its events. */
  digest: Uint8Array;
  seen_at: number;
}
