import type { components } from '../../generated/types.ts';
import { MAX_SOURCES_NAMED } from '../limits.ts';
import { compareBytes } from '../rows.ts';
import type { EventTotalRow } from '../tables.ts';
import { NewestVersions, parseVersions } from './newest-versions.ts';

type EventSummary = components['schemas']['EventSummary'];

/** What a summary tells of the places that an event was seen in. */
export type Seen = Omit<EventSummary, 'eventName' | 'conflicts' | 'issues' | 'days'>;

/** Adds up where an event was seen, row by row. */
export class SeenSum {
  #count = 0;
  #shapes = 0;
  #firstSeen = Infinity;
  #lastSeen = -Infinity;
  readonly #sources = new Set<string>();
  /** The first ones, in the order of the database. */
  readonly #named: string[] = [];
  readonly #versions = new Set<string>();
  readonly #newest = new NewestVersions();
  #unnamedVersions = 0;

  /** Adds what there is in one place. */
  add({
    source,
    count,
    shapes,
    first_seen,
    last_seen,
  }: Pick<EventTotalRow, 'source' | 'count' | 'shapes' | 'first_seen' | 'last_seen'>): void {
    this.#count += count;
    this.#shapes += shapes;
    this.#firstSeen = Math.min(this.#firstSeen, first_seen);
    this.#lastSeen = Math.max(this.#lastSeen, last_seen);
    if (this.#sources.has(source)) return;
    this.#sources.add(source);
    this.#name(source);
  }

  /** Adds the app versions of one source. */
  addVersions({ versions, newest_versions }: Pick<EventTotalRow, 'versions' | 'newest_versions'>): void {
    const named = parseVersions(newest_versions);
    for (const version of named) {
      this.#versions.add(version[0]);
      this.#newest.add(version);
    }
    this.#unnamedVersions += versions - named.length;
  }

  #name(source: string): void {
    const before = this.#named.findLastIndex((other) => compareBytes(other, source) < 0);
    if (before === MAX_SOURCES_NAMED - 1) return;
    this.#named.splice(before + 1, 0, source);
    if (this.#named.length > MAX_SOURCES_NAMED) this.#named.pop();
  }

  /** @param environments in which of them it was seen */
  view(environments: Seen['environments']): Seen {
    return {
      count: this.#count,
      shapes: this.#shapes,
      sources: { names: this.#named, total: this.#sources.size },
      environments,
      appVersions: { newest: this.#newest.names, total: this.#versions.size + this.#unnamedVersions },
      firstSeen: new Date(this.#firstSeen).toISOString(),
      lastSeen: new Date(this.#lastSeen).toISOString(),
    };
  }
}
