import type { components } from '../generated/types.ts';

export interface InspectorTables {
  observed_events: ObservedEventRow;
  observed_shapes: ObservedShapeRow;
  shape_totals: ShapeTotalRow;
  observed_properties: ObservedPropertyRow;
  observed_types: ObservedTypeRow;
  type_conflicts: TypeConflictRow;
  seen_messages: SeenMessageRow;
  seen_batches: SeenBatchRow;
}

/** Where events were seen. */
export interface PlaceColumns {
  workspace_id: string;
  /** The app that sent them, as its API key names it. */
  source: string;
  app_version: string;
  environment: components['schemas']['Environment'];
}

interface CountColumns {
  /** How many events were accepted. */
  count: number;
  /** When the first and the last of them were received. */
  first_seen: number;
  last_seen: number;
}

/** One row for each event name in a place. */
export interface ObservedEventRow extends PlaceColumns, CountColumns {
  /** `boundedKey` of the name. */
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
  /** The schema in canonical form, as JSON. */
  schema: string;
}

/** How many distinct shapes one version of an app has, in whatever environment; for the limit on them. */
export interface ShapeTotalRow {
  workspace_id: string;
  source: string;
  app_version: string;
  shapes: number;
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

/** One row for each type that a property was seen with in a place. */
export interface ObservedTypeRow extends PropertyColumns, PlaceColumns {
  /** `boundedKey` of the type in words. */
  type: string;
  /** In how many of the place's shapes. */
  shapes: number;
}

/** One row for each property that was seen with more than one type within a scope. */
export interface TypeConflictRow extends PropertyColumns {
  /** What is compared: all that was seen, or what remains after one of the filters that the list of conflicts has. */
  scope: string;
}

/** A message that was counted, or found to be counted already. */
export interface SeenMessageRow {
  workspace_id: string;
  source: string;
  /** A UUID in lower case. */
  message_id: string;
  seen_at: number;
}

/** A batch of which every event has its last outcome: sent again, it changes nothing. */
export interface SeenBatchRow {
  workspace_id: string;
  source: string;
  /** A UUID in lower case. */
  batch_id: string;
  /** Digest of all that decides the outcome of its events. */
  digest: string;
  seen_at: number;
}
