import { Skipped } from '../engine/case.ts';
import type { CreatedBranch } from './documented.ts';
import type { ExportTable, Row } from './export-table.ts';
import { STATUSES, type Status } from './seeding.ts';
import type { ServiceContext } from './context.ts';

/** An export that many cases examine, and branches whose rows are known. */
export interface Evidence {
  readonly table: ExportTable;
  /** Created by the first account just before the export, and left as it was. */
  readonly fresh: CreatedBranch;
  /** When that was, in milliseconds. */
  readonly freshAt: number;
  /** Put into a status before the export; empty where nothing can be put into one. */
  readonly seeded: ReadonlyMap<Status, CreatedBranch>;
  /** Of one of these branches. */
  readonly findRow: (branchId: string) => Row | undefined;
}

/** Requests that gathering the evidence costs. */
export const EVIDENCE_COST = { 'first create': STATUSES.length + 1, 'second create': 1, 'first export': 1 };

/** Made once in a run, after everything else: so the export shows what all cases have created. */
export function gatherEvidence(context: ServiceContext): Promise<Evidence> {
  return context.share('evidence', gather);
}

async function gather(context: ServiceContext): Promise<Evidence> {
  const { secondAccount, seeding } = context.session;
  const seeded = new Map<Status, CreatedBranch>();
  for (const status of seeding === undefined ? [] : STATUSES) {
    try {
      seeded.set(status, await context.createInStatus(status));
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
    }
  }
  if (secondAccount !== undefined) await context.createBranch(context.name(), { as: secondAccount });
  const fresh = await context.createBranch();
  const freshAt = Date.now();
  const table = await context.exportTable();
  const ours = new Set([fresh, ...seeded.values()].map(({ branchId }) => branchId));
  const rows = new Map(
    table
      .rows()
      .filter(({ branchId }) => ours.has(branchId))
      .map((row) => [row.branchId, row]),
  );
  return { table, fresh, freshAt, seeded, findRow: (branchId) => rows.get(branchId) };
}

/** The row of a branch in a status; ends the case where there is none. */
export function findRowInStatus(context: ServiceContext, { seeded, findRow }: Evidence, status: Status): Row {
  const branch = seeded.get(status) ?? context.skip(`No branch could be put into the status ${status}.`);
  const row = findRow(branch.branchId);
  if (row === undefined)
    context.demand([`The export has no row for the ${status} branch ${branch.branchName} (${branch.branchId}).`]);
  return row ?? context.skip('');
}
