import type { Kysely } from 'kysely';
import { lockLiveWorkspace } from '../../storage/live-workspace.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { DAY_MS } from '../hours.ts';
import { boundedKey } from '../keys.ts';
import { settleForReading } from '../ingest/pending-counts.ts';
import { type Finding, NO_PROPERTY } from './finding.ts';
import { keepFindings } from './keep-findings.ts';
import { type PlaceProfile, propertyCounts, readPlaceProfile } from './place-profile.ts';
import type { IssueRow, IssueVersionRow } from './tables.ts';
import { isOfRelease } from './trials.ts';
import { areAlike, wantingEvents, wantingProperties } from './wanting.ts';

/** With how many other sources an app version is compared. */
const MOST_SOURCES = 4;

/** For how long after its first event an app version is compared. */
const COMPARED_MS = 7 * DAY_MS;

/** What an app version is compared with. */
interface Other {
  kind: IssueRow['kind'] & ('goneInVersion' | 'missingOnSource');
  profile: PlaceProfile;
}

/** The next workspace with app versions that are still compared, in the order of ids. */
export async function nextCompared({ db }: Pick<Storage, 'db'>, after: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('issue_versions')
    .select('workspace_id')
    .where('workspace_id', '>', after)
    .where('due_at', 'is not', null)
    .orderBy('workspace_id')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.workspace_id;
}

/** The app version of a workspace that has been due for longest. */
export function nextDueVersion(
  { db }: Pick<Storage, 'db'>,
  workspaceId: string,
  now: number,
): Promise<IssueVersionRow | undefined> {
  return db
    .selectFrom('issue_versions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('source')
    .orderBy('environment')
    .orderBy('app_version')
    .limit(1)
    .executeTakeFirst();
}

/** Compares an app version with the one before and with other sources. Each turn of the iterator is a short transaction. */
export async function* compareVersion(storage: Storage, version: IssueVersionRow, now: number): AsyncGenerator<void> {
  await settleForReading(storage, version.workspace_id);
  const [newest, previous] = await pickVersions(storage.db, version, 2);
  const isNewest = newest?.app_version === version.app_version;
  const judged = isNewest ? await readPlaceProfile(storage.db, version) : undefined;
  if (judged !== undefined) {
    const others = await readOtherVersions(storage.db, version, previous, now);
    // Of events that it does not have nothing was looked at.
    yield* keepFindings(storage, version, { findings: findEvents(judged, others, now), lookedAt: new Map() });
    const shared = [...judged.events.keys()].filter((key) => others.some(({ profile }) => profile.events.has(key)));
    for (const key of shared) {
      const { found, shapes } = await findProperties(storage.db, version, judged, others, key, now);
      yield* keepFindings(storage, version, { findings: found, lookedAt: new Map([[key, shapes]]) });
    }
  }
  const isOver = !isNewest || now - version.first_seen >= COMPARED_MS;
  yield await setDue(storage, version, isOver ? null : now + DAY_MS);
}

/** The newest app versions of a source and environment; trials are none. */
function pickVersions(
  db: Kysely<Tables>,
  { workspace_id, source, environment }: Omit<IssueVersionRow, 'app_version' | 'first_seen' | 'due_at'>,
  limit: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<IssueVersionRow[]> {
  return db
    .selectFrom('issue_versions')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('environment', '=', environment)
    .where('source', '=', source)
    .where(isOfRelease)
    .where('first_seen', '<=', until)
    .orderBy('first_seen', 'desc')
    .orderBy('app_version', 'desc')
    .limit(limit)
    .execute();
}

/** The version before, and of other sources the newest that is a day old. */
async function readOtherVersions(
  db: Kysely<Tables>,
  version: IssueVersionRow,
  previous: IssueVersionRow | undefined,
  now: number,
): Promise<Other[]> {
  const others: Other[] = [];
  const add = async (kind: Other['kind'], row: IssueVersionRow | undefined): Promise<void> => {
    const profile = row === undefined ? undefined : await readPlaceProfile(db, row);
    if (profile !== undefined && profile.count > 0) others.push({ kind, profile });
  };
  await add('goneInVersion', previous);
  let last = '';
  for (let found = 0; found < MOST_SOURCES;) {
    const next = await nextSource(db, version, last);
    if (next === undefined) break;
    last = next;
    if (last === version.source) continue;
    found += 1;
    const [newest] = await pickVersions(db, { ...version, source: last }, 1, now - DAY_MS);
    await add('missingOnSource', newest);
  }
  return others;
}

async function nextSource(
  db: Kysely<Tables>,
  { workspace_id, environment }: IssueVersionRow,
  after: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('issue_versions')
    .select('source')
    .where('workspace_id', '=', workspace_id)
    .where('environment', '=', environment)
    .where('source', '>', after)
    .orderBy('source')
    .limit(1)
    .executeTakeFirst();
  return row?.source;
}

function findEvents(judged: PlaceProfile, others: readonly Other[], now: number): Finding[] {
  const found = new Map<string, Finding>();
  for (const other of others) {
    if (other.kind === 'missingOnSource' && !areAlike(judged, other.profile)) continue;
    for (const key of wantingEvents(judged, other.profile)) {
      if (!found.has(key)) found.set(key, toFinding(judged, other, key, now));
    }
  }
  return [...found.values()];
}

/** @returns what was found, and in how many shapes of the version it was looked for */
async function findProperties(
  db: Kysely<Tables>,
  { workspace_id }: IssueVersionRow,
  judged: PlaceProfile,
  others: readonly Other[],
  eventKey: string,
  now: number,
): Promise<{ found: Finding[]; shapes: number }> {
  const found = new Map<string, Finding>();
  const has = await propertyCounts(db, workspace_id, judged, eventKey);
  for (const other of others) {
    if (!other.profile.events.has(eventKey)) continue;
    const should = await propertyCounts(db, workspace_id, other.profile, eventKey);
    for await (const path of wantingProperties(workspace_id, has, should)) {
      const text = JSON.stringify(path);
      const of = { path: text, path_key: boundedKey(text) };
      if (!found.has(text)) found.set(text, { ...toFinding(judged, other, eventKey, now), ...of });
    }
  }
  return { found: [...found.values()], shapes: has.shapes };
}

function toFinding(
  { source, environment, app_version }: PlaceProfile,
  { kind, profile }: Other,
  event_key: string,
  at: number,
): Finding {
  const event_name = profile.events.get(event_key)?.event_name ?? '';
  const compared_with = kind === 'goneInVersion' ? profile.app_version : profile.source;
  return { kind, event_key, event_name, ...NO_PROPERTY, source, environment, app_version, compared_with, at };
}

function setDue(storage: Storage, version: IssueVersionRow, due_at: number | null): Promise<void> {
  return storage.write(async (tx) => {
    await lockLiveWorkspace(tx, version.workspace_id);
    await tx
      .updateTable('issue_versions')
      .set({ due_at })
      .where('workspace_id', '=', version.workspace_id)
      .where('source', '=', version.source)
      .where('environment', '=', version.environment)
      .where('app_version', '=', version.app_version)
      .execute();
  });
}
