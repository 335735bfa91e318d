import { Skipped } from '../engine/case.ts';
import type { CreatedBranch } from './documented.ts';
import type { ExportTable, Row } from './export-table.ts';
import { STATUSES, type Status } from './seeding.ts';
import type { Trial } from './context.ts';

/** An export that many cases look at, and branches of which something is known. */
export interface Evidence {
  readonly table: ExportTable;
  /** Created by the first account just before the export, and left as it was. */
  readonly fresh: CreatedBranch;
  /** When that was, in milliseconds. */
  readonly freshAt: number;
  /** Put into a status before the export; empty where nothing can be put into one. */
  readonly seeded: ReadonlyMap<Status, CreatedBranch>;
  /** Of one of these branches. */
  readonly rowOf: (branchId: string) => Row | undefined;
}

/** Requests that the evidence costs, whoever asks for it first. */
export const EVIDENCE_COST = { 'first create': STATUSES.length + 1, 'second create': 1, 'first export': 1 };

/** Made once in a run, after everything else: so the export shows what all cases have created. */
export function evidenceFor(trial: Trial): Promise<Evidence> {
  return trial.shared('evidence', gathered);
}

async function gathered(trial: Trial): Promise<Evidence> {
  const { secondAccount, seeding } = trial.session;
  const seeded = new Map<Status, CreatedBranch>();
  for (const status of seeding === undefined ? [] : STATUSES) {
    try {
      seeded.set(status, await trial.seeded(status));
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
    }
  }
  if (secondAccount !== undefined) await trial.created(trial.name(), { as: secondAccount });
  const fresh = await trial.created();
  const freshAt = Date.now();
  const table = await trial.exported();
  const ours = new Set([fresh, ...seeded.values()].map(({ branchId }) => branchId));
  const rows = new Map(
    table
      .rows()
      .filter(({ branchId }) => ours.has(branchId))
      .map((row) => [row.branchId, row]),
  );
  return { table, fresh, freshAt, seeded, rowOf: (branchId) => rows.get(branchId) };
}

/** The row of a branch in a status; ends the case where there is none. */
export function rowIn(trial: Trial, { seeded, rowOf }: Evidence, status: Status): Row {
  const branch = seeded.get(status) ?? trial.skip(`No branch could be put into the status ${status}.`);
  const row = rowOf(branch.branchId);
  if (row === undefined)
    trial.demand([`The export has no row for the ${status} branch ${branch.branchName} (${branch.branchId}).`]);
  return row ?? trial.skip('');
}
