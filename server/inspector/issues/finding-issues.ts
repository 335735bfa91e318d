import type { Clock } from '../../clock.ts';
import type { MaintenanceTask } from '../../maintenance/task.ts';
import { WorkspaceGone } from '../../storage/workspace-gone.ts';
import { UnreadableValue } from '../../storage/unreadable-value.ts';
import type { Storage } from '../../storage/storage.ts';
import { compareVersion, nextCompared, nextDueVersion } from './compare-versions.ts';
import { lookForSomeIssues } from './look-for-issues.ts';

/** How many turns a workspace gets of each kind of work; what is left waits for the next hour, so that other maintenance comes too. */
const MOST_TURNS = 2_000;

/** How often all workspaces are asked anew, in milliseconds: some come to have work while one has had much for long. */
const ASKED_EACH_MS = 5 * 60_000;

/** Does some of the work for a workspace, and returns whether there may be more. */
type Turn = AsyncGenerator<void, boolean>;

interface Work {
  /** The next workspace that may have some, in the order of ids. */
  next: (after: string) => Promise<string | undefined>;
  turn: (workspaceId: string) => Turn;
}

/**
 * Finds issues in the background, and compares app versions that are due: of each workspace some, in turns. What can't be read in one
 * is thrown once all others had theirs.
 */
export function findingIssues(storage: Storage, clock: Clock, mostTurns = MOST_TURNS): MaintenanceTask {
  return {
    name: 'findIssues',
    async *steps() {
      const unreadable: UnreadableValue[] = [];
      const bounds = { mostTurns, unreadable, clock };
      yield* inTurns(bounds, { next: (after) => nextWithNews(storage, after), turn: (id) => look(storage, id) });
      yield* inTurns(bounds, {
        next: (after) => nextCompared(storage, after),
        turn: (id) => compare(storage, id, clock()),
      });
      const [first] = unreadable;
      if (first !== undefined) throw first;
    },
  };
}

interface Bounds {
  mostTurns: number;
  unreadable: UnreadableValue[];
  clock: Clock;
}

/** Goes round the workspaces: none waits for all that another has, however much that is. */
async function* inTurns({ mostTurns, unreadable, clock }: Bounds, { next, turn }: Work): AsyncGenerator<void> {
  let ids: AsyncIterable<string> | readonly string[] = listAll(next);
  let askedAt = clock();
  for (let turns = 0; turns < mostTurns; turns += 1) {
    if (clock() - askedAt >= ASKED_EACH_MS) {
      ids = listAll(next);
      askedAt = clock();
    }
    const rest: string[] = [];
    for await (const id of ids) if (yield* unlessLost(turn(id), unreadable)) rest.push(id);
    if (rest.length === 0) return;
    ids = rest;
  }
}

async function* listAll(next: Work['next']): AsyncGenerator<string> {
  for (let id = await next(''); id !== undefined; id = await next(id)) yield id;
}

async function* look(storage: Storage, workspaceId: string): Turn {
  const hasMore = await lookForSomeIssues(storage, workspaceId);
  yield;
  return hasMore;
}

async function* compare(storage: Storage, workspaceId: string, now: number): Turn {
  const due = await nextDueVersion(storage, workspaceId, now);
  if (due === undefined) yield;
  else yield* compareVersion(storage, due, now);
  return due !== undefined;
}

async function nextWithNews({ db }: Storage, after: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('issue_news')
    .select('workspace_id')
    .where('workspace_id', '>', after)
    .orderBy('workspace_id')
    .limit(1)
    .executeTakeFirst();
  return row?.workspace_id;
}

/** The data of a workspace deleted in the meantime is dropped without a check; what can't be read stays. */
async function* unlessLost(turn: Turn, unreadable: UnreadableValue[]): Turn {
  try {
    return yield* turn;
  } catch (error) {
    if (error instanceof UnreadableValue) unreadable.push(error);
    else if (!(error instanceof WorkspaceGone)) throw error;
    return false;
  }
}
