import type { Transaction } from 'kysely';
import { takeUrgentTurn } from '@branchline/runtime';
import { workFor, workHolding } from '../../storage/holder.ts';
import { lockLiveWorkspace } from '../../storage/live-workspace.ts';
import { SharedRuns } from '../../storage/shared-runs.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { isUnavailable } from '../../storage/transient-errors.ts';
import { findInShapes, findRefusals, seeAgain } from './finds.ts';
import { Issues, type PlaceEvent, placeEventKey } from './issues.ts';
import { parseNews, type PlaceNews, sizeOfNews } from './news.ts';
import { NewsRoom } from './news-room.ts';
import { countIssues } from './room.ts';
import { firstTypes, readShapes } from './observed.ts';
import { addVersions, findVersions } from './versions.ts';

/** How many entries one transaction looks at. */
const MOST_ENTRIES = 25;

/** How many issues the sources of those have that are known, and may be read; at least those of the first. */
const MOST_KNOWN = 2_000;

/** The number of transactions that a reader waits for. */
const STEPS_FOR_READING = 10;

/**
 * Checks some of the new data of a workspace.
 *
 * @returns whether there may be more
 */
export function lookForSomeIssues(storage: Pick<Storage, 'write'>, workspaceId: string): Promise<boolean> {
  return storage.write(async (tx) => {
    await lockLiveWorkspace(tx, workspaceId);
    const { news, hasMore } = await takeNews(tx, workspaceId);
    if (news.length > 0) await lookAt(tx, workspaceId, news);
    return hasMore;
  });
}

/** Brings the list up to date before it is read, or nearly so: there may be much to check, or the database accepts no writes. */
export async function lookBeforeReading(storage: Storage, workspaceId: string): Promise<void> {
  if (!(await hasUnchecked(storage, workspaceId))) return;
  await looks.run(storage, workspaceId, () =>
    workFor(workspaceId, () => workHolding(() => lookForIssues(storage, workspaceId))),
  );
}

const looks = new SharedRuns<void>();

async function lookForIssues(storage: Storage, workspaceId: string): Promise<void> {
  for (let step = 0; step < STEPS_FOR_READING; step += 1) {
    if (!(await hasUnchecked(storage, workspaceId))) return;
    try {
      await lookForSomeIssues(storage, workspaceId);
    } catch (error) {
      if (isUnavailable(error)) return;
      throw error;
    }
  }
}

/** Whether a workspace has new data that was not checked yet. Ordered, so that no engine prefers a full table scan to the index. */
export async function hasUnchecked({ db }: Pick<Storage, 'db'>, workspaceId: string): Promise<boolean> {
  const news = db.selectFrom('issue_news').select('entry_id').where('workspace_id', '=', workspaceId);
  return (await news.orderBy('entry_id').limit(1).executeTakeFirst()) !== undefined;
}

/** Removes and returns the oldest entries. */
async function takeNews(
  tx: Transaction<Tables>,
  workspaceId: string,
): Promise<{ news: PlaceNews[]; hasMore: boolean }> {
  const entries = await tx
    .selectFrom('issue_news')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('entry_id')
    .limit(MOST_ENTRIES)
    .execute();
  const news: PlaceNews[] = [];
  const taken: string[] = [];
  const room = new NewsRoom();
  const sources = new Set<string>();
  let known = 0;
  for (const { entry_id, news: text } of entries) {
    const places = parseNews(text);
    for (const { source } of places) {
      if (!sources.has(source)) known += await countIssues(tx, workspaceId, source);
      sources.add(source);
    }
    if (taken.length > 0 && known > MOST_KNOWN) break;
    if (!room.take(sizeOfNews(places))) break;
    news.push(...places);
    taken.push(entry_id);
  }
  if (taken.length > 0) {
    await tx.deleteFrom('issue_news').where('workspace_id', '=', workspaceId).where('entry_id', 'in', taken).execute();
  }
  return { news, hasMore: taken.length < entries.length || entries.length === MOST_ENTRIES };
}

/**
 * Works in pieces that each wait for a turn: a single event may have many properties, each with an issue. Other workspaces wait for
 * the transaction.
 */
async function lookAt(tx: Transaction<Tables>, workspaceId: string, news: readonly PlaceNews[]): Promise<void> {
  await addVersions(tx, workspaceId, news);
  const issues = await Issues.of(tx, workspaceId, news.flatMap(listEvents));
  const versions = await findVersions(tx, workspaceId, news, issues.all());
  const fresh = await readShapes(tx, workspaceId, news, (_place, _event, isNewInSource) => isNewInSource);
  const firstTypeOf = await firstTypes(tx, workspaceId, fresh);
  await takeUrgentTurn(workspaceId);
  await findInShapes(tx, workspaceId, { shapes: fresh, issues, versions, firstTypeOf });
  // A shape known to the source matters only if it has issues: an app version may have thousands of shapes.
  const withIssues = new Set(issues.all().map(placeEventKey));
  const known = await readShapes(
    tx,
    workspaceId,
    news,
    ({ source, environment }, event_key, isNewInSource) =>
      !isNewInSource && withIssues.has(placeEventKey({ event_key, source, environment })),
  );
  await takeUrgentTurn(workspaceId);
  await seeAgain(workspaceId, issues, [...fresh, ...known], versions);
  findRefusals(issues, news, versions);
  await takeUrgentTurn(workspaceId);
  await issues.save(tx);
}

function listEvents({ source, environment, shapes, refused }: PlaceNews): PlaceEvent[] {
  const keys = shapes.map(([event_key]) => event_key);
  return [...keys, ...(refused.length > 0 ? [''] : [])].map((event_key) => ({ event_key, source, environment }));
}
