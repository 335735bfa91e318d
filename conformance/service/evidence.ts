import { setTimeout as pause } from 'node:timers/promises';
import { Skipped } from '../engine/case.ts';
import { findHeader } from '../engine/http/client.ts';
import { type CreatedBranch, checkCreated } from './documented.ts';
import type { ExportTable, Row } from './export-table.ts';
import { STATUSES, type Status } from './seeding.ts';
import type { ServiceContext } from './context.ts';
import type { Happened } from './timestamps.ts';

/** An export that many cases examine, and branches whose rows are known. */
export interface Evidence {
  readonly table: ExportTable;
  /** Created by the first account just before the export, and left as it was. */
  readonly fresh: CreatedBranch;
  /** When that was. */
  readonly freshAt: Happened;
  /** Put into a status before the export; empty where nothing can be put into one. */
  readonly seeded: ReadonlyMap<Status, CreatedBranch>;
  /** When that was: more than a second after these branches were created. */
  readonly seededAt: Happened;
  /** Of one of these branches. */
  readonly findRow: (branchId: string) => Row | undefined;
}

/** Many services write no fractions of a second. */
const A_SECOND_LATER_MS = 1_100;

/** Requests that gathering the evidence costs. */
export const EVIDENCE_COST = { 'first create': STATUSES.length + 1, 'second create': 1, 'first export': 1 };

/** Made once in a run, after everything else: so the export shows what all cases have created. */
export function gatherEvidence(context: ServiceContext): Promise<Evidence> {
  return context.share('evidence', gather);
}

async function gather(context: ServiceContext): Promise<Evidence> {
  const { secondAccount, seeding } = context.session;
  const seeded = new Map<Status, CreatedBranch>();
  const created: [Status, CreatedBranch][] = [];
  for (const status of seeding === undefined ? [] : STATUSES) created.push([status, await context.createBranch()]);
  if (created.length > 0) await pause(A_SECOND_LATER_MS);
  const seedsFrom = Date.now();
  for (const [status, branch] of created) {
    try {
      await context.seed(branch, status);
      seeded.set(status, branch);
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
    }
  }
  const seedsTo = Date.now();
  if (secondAccount !== undefined) await context.createBranch(context.name(), { as: secondAccount });
  const name = context.name();
  const answer = await context.create({ name });
  const now = Date.now();
  const { problems, branch: fresh } = checkCreated(answer, name);
  context.demand(problems);
  const said = Date.parse(findHeader(answer, 'date') ?? '');
  const ahead = Number.isNaN(said) ? undefined : said - now;
  const table = await context.exportTable({}, (one) => isSettled(one, fresh, seeded));
  const ours = new Set([fresh, ...seeded.values()].map(({ branchId }) => branchId));
  const rows = new Map(
    table
      .rows()
      .filter(({ branchId }) => ours.has(branchId))
      .map((row) => [row.branchId, row]),
  );
  return {
    table,
    fresh,
    freshAt: { from: now, to: now, ahead },
    seeded,
    seededAt: { from: seedsFrom, to: seedsTo, ahead },
    findRow: (branchId) => rows.get(branchId),
  };
}

/** Whether the export shows each branch, in its status. */
function isSettled(table: ExportTable, fresh: CreatedBranch, seeded: ReadonlyMap<Status, CreatedBranch>): boolean {
  const statuses = new Map(table.rows().map(({ branchId, branchStatus }) => [branchId, branchStatus]));
  return (
    statuses.has(fresh.branchId) && [...seeded].every(([status, { branchId }]) => statuses.get(branchId) === status)
  );
}

/** The row of a branch in a status; ends the case where there is none. */
export function findRowInStatus(context: ServiceContext, { seeded, findRow }: Evidence, status: Status): Row {
  const branch = seeded.get(status) ?? context.skip(`No branch could be put into the status ${status}.`);
  const row = findRow(branch.branchId);
  if (row === undefined)
    context.demand([`The export has no row for the ${status} branch ${branch.branchName} (${branch.branchId}).`]);
  return row ?? context.skip('');
}
