import { joinKey } from './ingest/delivery.ts';
import type { PropertyKey } from './property-keys.ts';
import type { Shape } from './shape.ts';
import type { PlaceColumns } from './tables.ts';

// Identify rows within one workspace, as keys of maps and sets.

/** One version of an app: a row of `app_versions`. */
export function versionKey({ source, app_version }: Pick<PlaceColumns, 'source' | 'app_version'>): string {
  return joinKey(source, app_version);
}

/** A shape in one version of an app, in any environment. */
export function versionShapeKey(place: Pick<PlaceColumns, 'source' | 'app_version'>, shapeId: string): string {
  return joinKey(place.source, place.app_version, shapeId);
}

/** A shape in a place: a row of `observed_shapes`. */
export function placeShapeKey(place: Omit<PlaceColumns, 'workspace_id'>, shapeId: string): string {
  return joinKey(place.source, place.app_version, place.environment, shapeId);
}

/** An event in a place: a row of `observed_events`. */
export function placeEventKey(place: Omit<PlaceColumns, 'workspace_id'>, eventKey: string): string {
  return joinKey(place.source, place.app_version, place.environment, eventKey);
}

/** A shape in a source and environment: a row of `source_shapes`. */
export function sourceShapeKey(place: Pick<PlaceColumns, 'source' | 'environment'>, shapeId: string): string {
  return joinKey(place.source, place.environment, shapeId);
}

/** The type of a property in a source and environment: a row of `observed_types`. */
export function typeKey(
  { eventKey }: Pick<Shape, 'eventKey'>,
  { pathKey, type }: Pick<PropertyKey, 'pathKey' | 'type'>,
  { source, environment }: Pick<PlaceColumns, 'source' | 'environment'>,
): string {
  return joinKey(eventKey, pathKey, type, source, environment);
}
