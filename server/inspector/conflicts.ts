import { type Transaction, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { joined } from './delivery.ts';
import type { EventSchema } from './event-schema.ts';
import { boundedKey } from './keys.ts';
import { sum } from './observations.ts';
import { propertyTypes } from './property-types.ts';
import { entry, inKeyOrder, isOneOf, portions } from './rows.ts';
import { scopesWith } from './scopes.ts';
import type { ObservedPropertyRow, ObservedShapeRow, ObservedTypeRow, TypeConflictRow } from './tables.ts';

type PropertyKey = Pick<ObservedPropertyRow, 'workspace_id' | 'event_key' | 'path_key'>;

type Property = Omit<ObservedPropertyRow, 'type' | 'conflicting'>;

/**
 * Keeps the list of type conflicts up to date, so that it can be read without comparing all shapes. Only shapes that are new
 * in a place cost anything; of those, only types that a property did not have in that place; and of those, only the
 * properties that have another type somewhere are looked at closer.
 */
export async function addPropertyTypes(tx: Transaction<Tables>, newShapes: readonly ObservedShapeRow[]): Promise<void> {
  const types = new Map<string, ObservedTypeRow>();
  const properties = new Map<string, Property>();
  for (const { shape, path, type } of newShapes.flatMap(propertiesOf)) {
    const { workspace_id, event_key, source, app_version, environment } = shape;
    const property = { workspace_id, event_key, path_key: boundedKey(path) };
    const row = { ...property, source, app_version, environment, type };
    entry(types, typeKey(row), () => ({ ...row, shapes: 0 })).shapes += 1;
    entry(properties, keyOf(property), () => ({ ...property, event_name: shape.event_name, path }));
  }
  const newTypes = Map.groupBy(await addTypes(tx, types), keyOf);
  const conflicting = await addProperties(tx, properties, newTypes);
  await addConflicts(tx, conflicting, newTypes);
}

function propertiesOf(shape: ObservedShapeRow) {
  const schema: EventSchema = JSON.parse(shape.schema);
  return propertyTypes(schema).map(({ path, type }) => ({ shape, path: JSON.stringify(path), type: boundedKey(type) }));
}

/** @returns the types that their property did not have in their place */
async function addTypes(
  tx: Transaction<Tables>,
  types: ReadonlyMap<string, ObservedTypeRow>,
): Promise<ObservedTypeRow[]> {
  const newTypes: ObservedTypeRow[] = [];
  for (const rows of portions(inKeyOrder(types))) {
    const stored = await tx
      .insertInto('observed_types')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'event_key', 'path_key', 'source', 'app_version', 'environment', 'type'])
          .doUpdateSet({ shapes: sum('observed_types', 'shapes') }),
      )
      .returningAll()
      .execute();
    newTypes.push(...stored.filter((row) => row.shapes === types.get(typeKey(row))?.shapes));
  }
  return newTypes;
}

/** @returns the properties among those with new types that have been seen with more than one type, wherever */
async function addProperties(
  tx: Transaction<Tables>,
  properties: ReadonlyMap<string, Property>,
  newTypes: ReadonlyMap<string, readonly ObservedTypeRow[]>,
): Promise<PropertyKey[]> {
  const conflicting: PropertyKey[] = [];
  for (const rows of portions(inKeyOrder(propertyRows(properties, newTypes)))) {
    const stored = await tx
      .insertInto('observed_properties')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'event_key', 'path_key']).doUpdateSet({
          conflicting: sql<number>`case when observed_properties.conflicting = 1 or excluded.conflicting = 1
            or observed_properties.type <> excluded.type then 1 else 0 end`,
        }),
      )
      .returning(['workspace_id', 'event_key', 'path_key', 'conflicting'])
      .execute();
    conflicting.push(...stored.filter((row) => row.conflicting === 1));
  }
  return conflicting.map(({ workspace_id, event_key, path_key }) => ({ workspace_id, event_key, path_key }));
}

function propertyRows(
  properties: ReadonlyMap<string, Property>,
  newTypes: ReadonlyMap<string, readonly ObservedTypeRow[]>,
): Map<string, ObservedPropertyRow> {
  const rows = new Map<string, ObservedPropertyRow>();
  for (const [key, property] of properties) {
    const types = new Set(newTypes.get(key)?.map(({ type }) => type));
    const [type] = types;
    if (type !== undefined) rows.set(key, { ...property, type, conflicting: types.size > 1 ? 1 : 0 });
  }
  return rows;
}

/** A new type can only make a conflict in the scopes that its place is in. */
async function addConflicts(
  tx: Transaction<Tables>,
  properties: readonly PropertyKey[],
  newTypes: ReadonlyMap<string, readonly ObservedTypeRow[]>,
): Promise<void> {
  const conflicts = new Map<string, TypeConflictRow>();
  for (const keys of portions(properties)) {
    const seen = await tx.selectFrom('observed_types').selectAll().where(isOneOf(keys)).execute();
    const seenOf = Map.groupBy(seen, keyOf);
    for (const { workspace_id, event_key, path_key } of keys) {
      const property = keyOf({ workspace_id, event_key, path_key });
      const scopes = new Set(newTypes.get(property)?.flatMap(scopesWith));
      for (const scope of scopesWithConflict(seenOf.get(property) ?? [])) {
        if (scopes.has(scope)) {
          const row = { workspace_id, scope, event_key, path_key };
          conflicts.set(joined(...Object.values(row)), row);
        }
      }
    }
  }
  for (const rows of portions(inKeyOrder(conflicts))) {
    await tx
      .insertInto('type_conflicts')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

function scopesWithConflict(seen: readonly ObservedTypeRow[]): string[] {
  const types = new Map<string, Set<string>>();
  for (const row of seen) for (const scope of scopesWith(row)) entry(types, scope, () => new Set()).add(row.type);
  return [...types].filter(([, { size }]) => size > 1).map(([scope]) => scope);
}

function keyOf({ workspace_id, event_key, path_key }: PropertyKey): string {
  return joined(workspace_id, event_key, path_key);
}

function typeKey(row: Omit<ObservedTypeRow, 'shapes'>): string {
  return joined(keyOf(row), row.source, row.app_version, row.environment, row.type);
}
