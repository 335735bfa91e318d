import { listOf, parseStored, withFields } from '../../storage/stored-json.ts';
import { MAX_VERSIONS_NAMED } from '../limits.ts';

/** An app version, and when it was first seen. */
export type SeenVersion = readonly [appVersion: string, firstSeen: number];

const isSeenVersions = listOf(withFields<SeenVersion>({ 0: 'string', 1: 'number' }));

/**
 * Reads the stored app versions of an event.
 *
 * @throws UnreadableValue
 */
export function parseVersions(text: string): SeenVersion[] {
  return parseStored('event_totals.newest_versions', text, isSeenVersions);
}

/** The app versions that were first seen last, of however many; where several sources have one, as the last of them saw it. */
export class NewestVersions {
  readonly #newest: SeenVersion[] = [];

  add(version: SeenVersion): void {
    const oldest = this.#newest.at(-1);
    if (this.#newest.length === MAX_VERSIONS_NAMED && oldest !== undefined && !isNewer(version, oldest)) return;
    const place = this.#newest.findIndex((other) => other[0] === version[0]);
    const same = this.#newest[place];
    if (same !== undefined) {
      if (!isNewer(version, same)) return;
      this.#newest.splice(place, 1);
    }
    const before = this.#newest.findLastIndex((other) => isNewer(other, version));
    this.#newest.splice(before + 1, 0, version);
    if (this.#newest.length > MAX_VERSIONS_NAMED) this.#newest.pop();
  }

  /** The newest first. */
  get names(): string[] {
    return this.#newest.map(([version]) => version);
  }
}

function isNewer([a, aSeen]: SeenVersion, [b, bSeen]: SeenVersion): boolean {
  return aSeen > bSeen || (aSeen === bSeen && a > b);
}
