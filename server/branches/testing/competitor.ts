import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { changeStatus } from '../decisions.ts';
import type { BranchStatus } from '../lifecycle.ts';
import type { Changed } from '../store.ts';
import type { BranchRow } from '../tables.ts';
import { changeBranch, createBranch } from './branches.ts';

/** Something that a second process is to do. */
export type Job = { create: string; at: number } | { become: BranchStatus; branchId: string };

/** What came of it. */
export type Outcome = BranchRow | Changed | undefined;

/** Does all jobs at once. */
export function compete(storage: Storage, jobs: readonly Job[]): Promise<Outcome[]> {
  return Promise.all(
    jobs.map((job) =>
      'create' in job
        ? createBranch(storage, job.create, job.at)
        : changeBranch(storage, job.branchId, changeStatus(job.become)),
    ),
  );
}

// As a process of its own: opens the database that it is given, says so, does the jobs that it is sent, and answers.
const place = process.argv[2];
if (import.meta.main && place !== undefined) {
  const storage = await openStorage(JSON.parse(place));
  process.once('message', async (jobs: Job[]) => {
    process.send?.(await compete(storage, jobs));
    await storage.close();
  });
  process.send?.('open');
}
