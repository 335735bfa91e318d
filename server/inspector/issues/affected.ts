import { takeTurn } from '@branchline/runtime';
import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import { shapesIn } from '../reports/event-properties.ts';
import type { EventSchema } from '../event-schema.ts';
import { boundedKey } from '../keys.ts';
import type { CountedShape } from '../reports/property-sums.ts';
import { type PropertyType, propertyTypes } from '../property-types.ts';
import { placeEventKey } from './issues.ts';
import type { IssueRow } from './tables.ts';

/** The number of shapes read per page. */
const MOST_SHAPES = 1_000;

/** The events that an issue affects. */
export interface Affected {
  /** The share of the source's events of the name in the environment; null if unknown. */
  share: number | null;
  /** Milliseconds since 1970; 0 if unknown. */
  lastSeen: number;
}

interface ReadShape extends CountedShape {
  types: readonly PropertyType[];
}

const UNKNOWN: Affected = { share: null, lastSeen: 0 };

/** Computes this from the shapes of each issue's event: an equal number per event, those with the first ids, an even sample. */
export async function affectedBy(
  db: Kysely<Tables>,
  workspaceId: string,
  issues: readonly IssueRow[],
): Promise<(issue: IssueRow) => Affected> {
  const events = new Map(issues.filter(canBeTold).map((issue) => [placeEventKey(issue), issue]));
  const most = Math.ceil(MOST_SHAPES / Math.max(1, events.size));
  const shapes = new Map<string, readonly ReadShape[]>();
  for (const [key, { event_name: eventName, source, environment }] of events) {
    await takeTurn(workspaceId);
    const found = await shapesIn(db, workspaceId, { eventName, source, environment }, '', most);
    shapes.set(key, found.map(withTypes));
  }
  return (issue) => (canBeTold(issue) ? affectedAmong(shapes.get(placeEventKey(issue)) ?? [], issue) : UNKNOWN);
}

function withTypes(shape: CountedShape): ReadShape {
  const schema: EventSchema = JSON.parse(shape.schema);
  return { ...shape, types: propertyTypes(schema) };
}

/** A missing event has no events to count. */
function canBeTold({ kind, path_key }: IssueRow): boolean {
  return kind !== 'overLimit' && (path_key !== '' || kind === 'nameVariant' || kind === 'newInVersion');
}

function affectedAmong(shapes: readonly ReadShape[], issue: IssueRow): Affected {
  const count = shapes.reduce((sum, shape) => sum + shape.count, 0);
  if (count === 0) return UNKNOWN;
  const affected = shapes.filter((shape) => isAffected(shape, issue));
  return {
    share: affected.reduce((sum, shape) => sum + shape.count, 0) / count,
    lastSeen: Math.max(0, ...affected.map(({ last_seen }) => last_seen)),
  };
}

function isAffected({ types }: ReadShape, { kind, path, path_key, compared_with }: IssueRow): boolean {
  if (path_key === '') return true;
  const ofProperty = types.filter((one) => JSON.stringify(one.path) === path);
  if (kind === 'goneInVersion' || kind === 'missingOnSource') return ofProperty.length === 0;
  if (kind === 'typeConflict') return ofProperty.some(({ type }) => boundedKey(type) !== compared_with);
  return ofProperty.length > 0;
}
