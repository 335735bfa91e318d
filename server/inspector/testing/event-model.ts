import type { EventSchema } from '../event-schema.ts';
import type { SummaryQuery } from '../reports/event-summaries.ts';
import type { VolumeQuery } from '../reports/event-volume.ts';
import { DAY_MS, HOUR_MS } from '../hours.ts';
import type { PropertyQuery } from '../reports/event-properties.ts';
import { foldCase } from '../fold-case.ts';
import type { ReportFilter } from '../reports/index-orders.ts';
import { propertyTypes } from '../property-types.ts';
import { deriveShape } from '../shape.ts';

/** An event that was accepted. */
export interface Sighting {
  source: string;
  environment: 'dev' | 'staging' | 'prod';
  appVersion: string;
  eventName: string;
  schema: EventSchema;
  at: number;
}

/** What the reports of events promise, said as simply as possible: all events are kept, and each report looks at all of them. */
export class EventModel {
  readonly #seen: Sighting[] = [];

  add(...sightings: Sighting[]): void {
    this.#seen.push(...sightings);
  }

  summaries(query: SummaryQuery, now: number) {
    const passing = this.#passing(query);
    const names = distinct(passing.map(({ eventName }) => eventName)).toSorted();
    return names.flatMap((eventName) => {
      const conflicts = this.#conflicts(eventName);
      if (query.text !== undefined && !foldCase(eventName).includes(foldCase(query.text))) return [];
      if (query.conflicting !== undefined && conflicts === 0) return [];
      const seen = passing.filter((one) => one.eventName === eventName);
      const sources = distinct(seen.map(({ source }) => source)).toSorted();
      const versions = distinct(seen.map(({ appVersion }) => appVersion));
      const inPlace = query.appVersion === undefined ? '' : 'environment';
      const shapes = seen.map(({ source, environment, schema }) =>
        [source, inPlace && environment, deriveShape(eventName, schema).id].join(' '),
      );
      return [
        {
          eventName,
          conflicts,
          // Nobody has looked for them.
          issues: 0,
          count: seen.length,
          shapes: distinct(shapes).length,
          sources: { names: sources, total: sources.length },
          environments: (['dev', 'staging', 'prod'] as const).filter((one) =>
            seen.some(({ environment }) => environment === one),
          ),
          appVersions: { newest: this.newest(seen), total: versions.length },
          firstSeen: time(Math.min(...seen.map(({ at }) => at))),
          lastSeen: time(Math.max(...seen.map(({ at }) => at))),
          days: countsAt(seen, DAY_MS, 14, now),
        },
      ];
    });
  }

  properties(query: PropertyQuery) {
    const passing = this.#passing(query);
    const all = passing.flatMap((seen) => propertyTypes(seen.schema).map(({ path, type }) => ({ path, type, seen })));
    const byPath = Map.groupBy(all, ({ path }) => JSON.stringify(path));
    const properties = [...byPath]
      .toSorted(([a], [b]) => (a.slice(0, -1) < b.slice(0, -1) ? -1 : 1))
      .map(([path, found]) => {
        const having = distinct(found.map(({ seen }) => seen));
        return {
          property: JSON.parse(path),
          presence: having.length / passing.length,
          count: having.length,
          types: [...Map.groupBy(found, ({ type }) => type)]
            .toSorted(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
            .map(([type, ofType]) => ({ type, count: ofType.length, seenIn: this.#seenIn(path, type, ofType, query) })),
          firstSeen: time(Math.min(...having.map(({ at }) => at))),
          lastSeen: time(Math.max(...having.map(({ at }) => at))),
        };
      });
    return { count: passing.length, properties };
  }

  volume({ step = 'day', split, ...filter }: VolumeQuery, now: number) {
    const [length, duration] = step === 'hour' ? [48, HOUR_MS] : [90, DAY_MS];
    const passing = this.#passing(filter);
    const parts = split === undefined ? [] : [...Map.groupBy(passing, (one) => one[split])];
    const series = parts.map(([name, seen]) => ({ name, counts: countsAt(seen, duration, length, now) }));
    const size = ({ counts }: { counts: number[] }) => counts.reduce((sum, count) => sum + count, 0);
    return {
      step,
      from: time((Math.floor(now / duration) - length + 1) * duration),
      total: countsAt(passing, duration, length, now),
      series: series.filter((one) => size(one) > 0).toSorted((a, b) => size(b) - size(a) || (a.name < b.name ? -1 : 1)),
    };
  }

  /** The one first seen last comes first; what came first is said by the order of arrival, not by clocks that differ. */
  newest(seen: readonly Sighting[]): string[] {
    const firsts = new Map<string, Sighting>();
    for (const one of seen) {
      const key = `${one.source} ${one.appVersion}`;
      if (!firsts.has(key)) firsts.set(key, one);
    }
    const sorted = [...firsts.values()].toSorted((a, b) => b.at - a.at || (a.appVersion < b.appVersion ? 1 : -1));
    return distinct(sorted.map(({ appVersion }) => appVersion));
  }

  /** In the order in which they came, each with the version that brought it. */
  #seenIn(path: string, type: string, found: readonly { seen: Sighting }[], { eventName, appVersion }: PropertyQuery) {
    const places = new Map(
      found.map(({ seen: { source, environment } }) => [`${source} ${environment}`, { source, environment }]),
    );
    const sorted = [...places].toSorted(([, a], [, b]) =>
      a.environment === b.environment ? (a.source < b.source ? -1 : 1) : a.environment < b.environment ? -1 : 1,
    );
    return sorted.map(([, place]) => {
      const first = this.#seen.find(
        (one) =>
          one.eventName === eventName &&
          one.source === place.source &&
          one.environment === place.environment &&
          propertyTypes(one.schema).some(
            (property) => JSON.stringify(property.path) === path && property.type === type,
          ),
      );
      return { ...place, appVersion: appVersion ?? first?.appVersion };
    });
  }

  #conflicts(eventName: string): number {
    const types = this.#seen
      .filter((one) => one.eventName === eventName)
      .flatMap(({ schema }) => propertyTypes(schema).map(({ path, type }) => ({ path: JSON.stringify(path), type })));
    const byPath = Map.groupBy(types, ({ path }) => path);
    return [...byPath.values()].filter((all) => distinct(all.map(({ type }) => type)).length > 1).length;
  }

  #passing({ eventName, source, environment, appVersion }: ReportFilter): Sighting[] {
    return this.#seen.filter(
      (one) =>
        (eventName ?? one.eventName) === one.eventName &&
        (source ?? one.source) === one.source &&
        (environment ?? one.environment) === one.environment &&
        (appVersion ?? one.appVersion) === one.appVersion,
    );
  }
}

function countsAt(seen: readonly Sighting[], duration: number, length: number, now: number): number[] {
  const present = Math.floor(now / duration);
  return Array.from({ length }, (_, index) => {
    const bucket = present - length + 1 + index;
    return seen.filter(({ at }) => Math.floor(at / duration) === bucket).length;
  });
}

function distinct<One>(all: readonly One[]): One[] {
  return [...new Set(all)];
}

const time = (at: number): string => new Date(at).toISOString();
