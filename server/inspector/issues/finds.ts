import type { Transaction } from 'kysely';
import { pauseAfter, takeUrgentTurn } from '@branchline/runtime';
import { isTexts, parseStored } from '../../storage/stored-json.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import { boundedKey } from '../keys.ts';
import { type Finding, NO_PROPERTY } from './finding.ts';
import { foldedEventKey, foldedPathKey } from './folded-name.ts';
import { type Issues, type KnownIssue, placeEventKey } from './issues.ts';
import { type NameKey, Names } from './names.ts';
import type { PlaceNews } from './news.ts';
import { hadAnother, type SeenProperty, type SeenShape } from './observed.ts';
import type { IssueRow } from './tables.ts';
import { isTrial } from './trials.ts';
import type { Versions } from './versions.ts';
import { above } from './wanting.ts';

interface Brought {
  /** New in their sources. */
  shapes: readonly SeenShape[];
  issues: Issues;
  versions: Versions;
  /** The type first seen, for properties with several types. */
  firstTypeOf: (eventKey: string, pathKey: string) => string | undefined;
}

/** In characters of names: to fold and compare so many takes up to some milliseconds. */
const PIECE = 65_536;

/** How many issues are looked at between turns. */
const MOST_ISSUES = 1_000;

/** Finds the issues visible in a shape itself: other types, variants of names, and new names. In turns: other workspaces wait for it. */
export async function findInShapes(tx: Transaction<Tables>, workspaceId: string, brought: Brought): Promise<void> {
  const { shapes, firstTypeOf, issues, versions } = brought;
  const pause = pauseAfter(PIECE, () => takeUrgentTurn(workspaceId));
  const folded = await foldNames(shapes, pause);
  const keys = folded.flatMap(({ key, properties }) => [key, ...properties.map((property) => property.key)]);
  const names = await Names.of(tx, workspaceId, keys);
  const newNames = new NewNames(tx, workspaceId, brought);
  for (const { shape, key, properties } of folded) {
    const about = aboutEvent(shape);
    const add = (finding: Finding): void => issues.add(finding, versions.since);
    const first = names.see(key, shape.event_name);
    if (first === undefined) await newNames.add(shape);
    else if (first !== shape.event_name) add({ ...about, kind: 'nameVariant', compared_with: first });
    for (const { property, key: propertyKey } of properties) {
      const of = { ...about, path: property.text, path_key: property.path_key };
      await pause(property.text.length);
      const like = names.see(propertyKey, property.text);
      if (like === undefined) await newNames.add(shape, property);
      else if (like !== property.text) add({ ...of, kind: 'nameVariant', compared_with: lastName(like) });
      const type = firstTypeOf(shape.event_key, property.path_key);
      if (type !== undefined && type !== property.type) add({ ...of, kind: 'typeConflict', compared_with: type });
    }
  }
  await names.save(tx);
}

/**
 * Finds the names that an app version introduced, except those inside a new event or object, and events whose name is a
 * new variant.
 */
class NewNames {
  readonly #tx: Transaction<Tables>;
  readonly #workspaceId: string;
  readonly #brought: Brought;
  readonly #new = new Set<string>();
  /** Whether app versions brought events of which they bring properties. */
  readonly #broughtEvents = new Map<string, boolean>();

  constructor(tx: Transaction<Tables>, workspaceId: string, brought: Brought) {
    this.#tx = tx;
    this.#workspaceId = workspaceId;
    this.#brought = brought;
  }

  async add(shape: SeenShape, property?: SeenProperty): Promise<void> {
    const { issues, versions } = this.#brought;
    const path = property?.text ?? '';
    this.#new.add(newKey(shape, path));
    if (shape.news.isOld === 1 || !versions.hasOneBefore(shape.news)) return;
    if (property !== undefined && (this.#isInNewObject(shape, property.path) || (await this.#isOfNewEvent(shape))))
      return;
    const of = property === undefined ? {} : { path, path_key: property.path_key };
    const finding: Finding = { ...aboutEvent(shape), ...of, kind: 'newInVersion', compared_with: null };
    issues.add(finding, versions.since);
  }

  #isInNewObject(shape: SeenShape, path: readonly string[]): boolean {
    const around = above(path);
    if (around.length === 0) return false;
    const text = JSON.stringify(around);
    if (this.#new.has(newKey(shape, text))) return true;
    // Found by an earlier look.
    const object = { path: text, path_key: boundedKey(text), kind: 'newInVersion', compared_with: null } as const;
    return this.#brought.issues.get({ ...aboutEvent(shape), ...object })?.app_version === shape.news.app_version;
  }

  /** No issue says so: there may be no room for one, or the event's name is a variant, or it was new in another environment. */
  async #isOfNewEvent(shape: SeenShape): Promise<boolean> {
    const key = newKey(shape, '');
    if (this.#new.has(key)) return true;
    const brought = this.#broughtEvents.get(key) ?? !(await hadAnother(this.#tx, this.#workspaceId, shape));
    this.#broughtEvents.set(key, brought);
    return brought;
  }
}

/** A name that an app version introduced in an environment; an empty path means the event itself. */
function newKey({ news, event_key }: SeenShape, path: string): string {
  return joinKey(news.source, news.environment, news.app_version, event_key, path);
}

/** Kinds that report something absent, until it arrives. */
const WANTING: ReadonlySet<IssueRow['kind']> = new Set(['goneInVersion', 'missingOnSource']);

/** Records the issues that shapes still have, and resolves those that they fix. In turns: an event may have thousands of issues. */
export async function seeAgain(
  workspaceId: string,
  issues: Issues,
  shapes: readonly SeenShape[],
  versions: Versions,
): Promise<void> {
  const byEvent = Map.groupBy(issues.all(), placeEventKey);
  const pause = pauseAfter(MOST_ISSUES, () => takeUrgentTurn(workspaceId));
  for (const shape of shapes) {
    const { source, environment, app_version, at } = shape.news;
    const byPath = Map.groupBy(shape.properties, ({ path_key }) => path_key);
    const ofEvent = byEvent.get(placeEventKey({ event_key: shape.event_key, source, environment })) ?? [];
    await pause(ofEvent.length);
    for (const { issue_id } of ofEvent) {
      // As a shape before this one may have left it.
      const issue = issues.known(issue_id);
      if (issue === undefined) continue;
      const properties = byPath.get(issue.path_key) ?? [];
      if (issue.path_key !== '' && properties.length === 0) continue;
      if (WANTING.has(issue.kind)) {
        // Earlier versions may go on sending it, and a trial says nothing of releases.
        if (!isTrial(app_version) && versions.since(shape.news) >= versions.since(issue)) issues.mend(issue, at);
      } else if (has(issue, properties)) issues.seeAgain(issue, { ...issue, app_version, at }, versions.since);
    }
  }
}

function has({ kind, compared_with }: KnownIssue, properties: readonly SeenProperty[]): boolean {
  if (kind === 'typeConflict') return properties.some(({ type }) => type !== compared_with);
  return kind === 'nameVariant';
}

/** Finds what sources had no room for. */
export function findRefusals(issues: Issues, news: readonly PlaceNews[], versions: Versions): void {
  // Their entries are in no order of time.
  for (const { source, environment, app_version, at, refused } of news.toSorted((a, b) => a.at - b.at)) {
    const about = { event_key: '', event_name: '', ...NO_PROPERTY, source, environment, app_version, at };
    for (const bound of refused) {
      issues.add({ ...about, kind: 'overLimit', compared_with: bound }, versions.since);
    }
  }
}

function aboutEvent({ news, event_key, event_name }: SeenShape): Omit<Finding, 'kind' | 'compared_with'> {
  const { source, environment, app_version, at } = news;
  return { event_key, event_name, ...NO_PROPERTY, source, environment, app_version, at };
}

/** A shape and its properties with the keys of their names. */
interface FoldedShape {
  shape: SeenShape;
  key: NameKey;
  properties: { property: SeenProperty; key: NameKey }[];
}

async function foldNames(
  shapes: readonly SeenShape[],
  pause: (characters: number) => Promise<void>,
): Promise<FoldedShape[]> {
  const folded: FoldedShape[] = [];
  for (const shape of shapes) {
    const properties: FoldedShape['properties'] = [];
    for (const property of shape.properties) {
      await pause(property.text.length);
      properties.push({ property, key: { event_key: shape.event_key, folded_key: foldedPathKey(property.path) } });
    }
    folded.push({ shape, key: { event_key: '', folded_key: foldedEventKey(shape.event_name) }, properties });
  }
  return folded;
}

function lastName(path: string): string {
  return parseStored('issue_names.name', path, isTexts).at(-1) ?? '';
}
