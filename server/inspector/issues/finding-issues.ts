import type { Clock } from '../../clock.ts';
import type { MaintenanceTask } from '../../maintenance/task.ts';
import { WorkspaceGone } from '../../storage/workspace-gone.ts';
import type { Storage } from '../../storage/storage.ts';
import { compareVersion, nextDueVersion } from './compare-versions.ts';
import { lookForSomeIssues } from './look-for-issues.ts';
import type { IssueVersionRow } from './tables.ts';

/** Finds issues in the background, and compares app versions that are due. */
export function findingIssues(storage: Storage, clock: Clock): MaintenanceTask {
  return {
    name: 'findIssues',
    async *steps() {
      for (let id = await nextWithNews(storage, ''); id !== undefined; id = await nextWithNews(storage, id)) {
        yield* unlessGone(lookForAll(storage, id));
      }
      const now = clock();
      let due: IssueVersionRow | undefined = await nextDueVersion(storage, now, undefined);
      for (; due !== undefined; due = await nextDueVersion(storage, now, due)) {
        yield* unlessGone(compareVersion(storage, due, now));
      }
    },
  };
}

async function* lookForAll(storage: Storage, workspaceId: string): AsyncGenerator<void> {
  while (await lookForSomeIssues(storage, workspaceId)) yield;
}

/** Returns the next workspace with new data, in the order of ids. */
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

/** The data of a workspace deleted in the meantime is dropped without a check. */
async function* unlessGone(steps: AsyncGenerator<void>): AsyncGenerator<void> {
  try {
    yield* steps;
  } catch (error) {
    if (!(error instanceof WorkspaceGone)) throw error;
  }
}
