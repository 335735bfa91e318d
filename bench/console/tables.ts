import { BRANCH_COLUMNS, EVENT_COLUMNS } from '../../server/branches/insert.ts';
import { DAY_MS, toDay, HOURS } from '../../server/inspector/hours.ts';
import { digest } from '../../server/inspector/keys.ts';
import { MAX_VERSIONS_NAMED, SUMMARY_DAYS } from '../../server/inspector/limits.ts';
import { type PropertyKey, derivePropertyKeys } from '../../server/inspector/property-keys.ts';
import { deriveShape } from '../../server/inspector/shape.ts';
import { SOURCE, SOURCE_NUMBER, WORKSPACE } from '../subjects/place.ts';
import { exampleBranch } from '../subjects/seed.ts';
import { each, eachIn, eachOf, type FilledTable, type Value } from './filled-table.ts';
import { branchIdAt, eventNameAt, type Scale, schemaAt, shapesIn, versionAt, versionsOf } from './scale.ts';

/** How often each shape was seen. */
export const COUNT_OF_SHAPE = 3;

const ENVIRONMENT = 'prod';

/** What the tables of a workspace hold at that scale: what ingest would have left there, as far as the console shows it. */
export function filledTables(scale: Scale, now: number): FilledTable[] {
  return [...branchTables(scale), ...shapeTables(scale, now), ...propertyTables(scale), ...countTables(scale, now)];
}

function branchTables({ branches }: Scale): FilledTable[] {
  return [
    {
      name: 'branches',
      columns: BRANCH_COLUMNS,
      rows: () => each(branches, (index) => [...exampleBranch(index).with(1, branchIdAt(index)), 1]),
    },
    {
      name: 'branch_events',
      columns: EVENT_COLUMNS,
      rows: () =>
        each(branches, (index) => {
          const [workspace, , name, , creator, email, at] = exampleBranch(index);
          return [workspace, branchIdAt(index), 1, 'created', at, creator, email, JSON.stringify({ name })];
        }),
    },
  ];
}

function shapeTables({ events, shapesOfEvent }: Scale, now: number): FilledTable[] {
  const schemas = Array.from({ length: shapesOfEvent }, (_, shape) => deriveShape('', schemaAt(shape)).schema);
  const eachShape = (row: (name: string, shape: number, id: string) => readonly Value[]) => () =>
    eachOf(events, shapesOfEvent, (event, shape) => {
      const name = eventNameAt(event);
      return row(name, shape, digest(JSON.stringify([name, schemas[shape]])));
    });
  const seen = [COUNT_OF_SHAPE, now - DAY_MS, now] as const;
  const counts = ['count', 'first_seen', 'last_seen'] as const;
  return [
    {
      name: 'sources',
      columns: ['workspace_id', 'source', 'source_number'],
      rows: () => [[WORKSPACE, SOURCE, SOURCE_NUMBER]],
    },
    {
      name: 'event_names',
      columns: ['workspace_id', 'event_key', 'event_name'],
      rows: () => each(events, (event) => [WORKSPACE, eventNameAt(event), eventNameAt(event)]),
    },
    {
      name: 'app_versions',
      columns: ['workspace_id', 'source', 'app_version', 'shapes'],
      rows: () =>
        each(versionsOf(shapesOfEvent), (version) => [
          WORKSPACE,
          SOURCE,
          versionAt(version),
          events * shapesIn(version, shapesOfEvent),
        ]),
    },
    {
      name: 'shapes',
      columns: ['workspace_id', 'event_key', 'shape_id', 'schema'],
      rows: eachShape((name, shape, id) => [WORKSPACE, name, id, schemas[shape] ?? '']),
    },
    {
      name: 'source_shapes',
      columns: ['workspace_id', 'event_key', 'shape_id', 'source', 'environment', ...counts],
      rows: eachShape((name, _shape, id) => [WORKSPACE, name, id, SOURCE, ENVIRONMENT, ...seen]),
    },
    {
      name: 'observed_shapes',
      columns: [
        'workspace_id',
        'event_key',
        'source',
        'app_version',
        'environment',
        'shape_id',
        'event_name',
        ...counts,
      ],
      rows: eachShape((name, shape, id) => [WORKSPACE, name, SOURCE, versionAt(shape), ENVIRONMENT, id, name, ...seen]),
    },
    {
      name: 'observed_events',
      columns: ['workspace_id', 'event_key', 'source', 'app_version', 'environment', 'event_name', 'shapes', ...counts],
      rows: () =>
        eachOf(events, versionsOf(shapesOfEvent), (event, version) => {
          const shapes = shapesIn(version, shapesOfEvent);
          const name = eventNameAt(event);
          const place = [SOURCE, versionAt(version), ENVIRONMENT] as const;
          return [WORKSPACE, name, ...place, name, shapes, shapes * COUNT_OF_SHAPE, now - DAY_MS, now];
        }),
    },
  ];
}

/** The same for every event. */
function propertyTables({ events, shapesOfEvent }: Scale): FilledTable[] {
  const types = new Map<string, PropertyKey & { firstVersion: string; shapes: number }>();
  for (let shape = 0; shape < shapesOfEvent; shape += 1) {
    for (const property of derivePropertyKeys(deriveShape('', schemaAt(shape)))) {
      const key = JSON.stringify([property.pathKey, property.type]);
      const known = types.get(key) ?? { ...property, firstVersion: versionAt(shape), shapes: 0 };
      types.set(key, { ...known, shapes: known.shapes + 1 });
    }
  }
  const properties = [...Map.groupBy(types.values(), ({ pathKey }) => pathKey).values()];
  return [
    {
      name: 'observed_types',
      columns: ['workspace_id', 'event_key', 'path_key', 'type', 'source', 'environment', 'first_version', 'shapes'],
      rows: () =>
        eachIn(events, [...types.values()], (event, { pathKey, type, firstVersion, shapes }) => [
          WORKSPACE,
          eventNameAt(event),
          pathKey,
          type,
          SOURCE,
          ENVIRONMENT,
          firstVersion,
          shapes,
        ]),
    },
    {
      name: 'observed_properties',
      columns: ['workspace_id', 'event_key', 'path_key', 'event_name', 'path', 'type', 'conflicting'],
      rows: () =>
        eachIn(events, properties, (event, seen) => [
          WORKSPACE,
          eventNameAt(event),
          seen[0]?.pathKey ?? '',
          eventNameAt(event),
          seen[0]?.path ?? '',
          seen[0]?.type ?? '',
          seen.length > 1 ? 1 : 0,
        ]),
    },
  ];
}

function countTables({ events, shapesOfEvent }: Scale, now: number): FilledTable[] {
  const versions = versionsOf(shapesOfEvent);
  const newest = JSON.stringify(
    Array.from({ length: versions }, (_, version) => [versionAt(version), now - DAY_MS])
      .toReversed()
      .slice(0, MAX_VERSIONS_NAMED),
  );
  const total = (environment: string, name: string, shapes: number, count: number): readonly Value[] => [
    WORKSPACE,
    environment,
    name,
    SOURCE,
    versions,
    shapes,
    newest,
    count,
    now - DAY_MS,
    now,
  ];
  const countOfEvent = shapesOfEvent * COUNT_OF_SHAPE;
  const volume = (name: string, version: string, day: number, count: number): readonly Value[] => [
    WORKSPACE,
    name,
    version,
    toDay(now - day * DAY_MS),
    SOURCE,
    ENVIRONMENT,
    ...HOURS.map((_, hour) => (hour === 0 ? count : 0)),
  ];
  return [
    {
      name: 'event_totals',
      columns: [
        'workspace_id',
        'environment',
        'event_key',
        'source',
        'versions',
        'shapes',
        'newest_versions',
        'count',
        'first_seen',
        'last_seen',
      ],
      *rows() {
        yield total('', '', 0, events * countOfEvent);
        for (const environment of ['', ENVIRONMENT]) {
          yield* each(events, (event) => total(environment, eventNameAt(event), shapesOfEvent, countOfEvent));
        }
      },
    },
    {
      name: 'event_volumes',
      columns: ['workspace_id', 'event_key', 'app_version', 'day', 'source', 'environment', ...HOURS],
      *rows() {
        for (const version of ['', ...Array.from({ length: versions }, (_, index) => versionAt(index))]) {
          yield* each(SUMMARY_DAYS, (day) => volume('', version, day, events));
        }
        yield* eachOf(events, SUMMARY_DAYS, (event, day) => volume(eventNameAt(event), '', day, 1));
      },
    },
    {
      name: 'inspector_usage',
      columns: ['workspace_id', 'holder', 'app_versions', 'event_names', 'shapes', 'properties', 'bytes'],
      rows: () =>
        ['workspace', `source:${SOURCE}`].map((holder) => [
          WORKSPACE,
          holder,
          versions,
          events,
          events * shapesOfEvent,
          events * 18,
          events * shapesOfEvent * 500,
        ]),
    },
  ];
}
