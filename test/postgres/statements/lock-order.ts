import { loadModule, parseSync, type RangeVar, type SelectStmt, type UpdateStmt } from 'libpg-query';
import type { LoggedStatement } from '../../../server/storage/testing/statement-log.ts';
import { tablesIn } from './from-clause.ts';

await loadModule();

/** What is locked of rows of `workspaces`, by its strength (0 is nothing), and whether rows of other tables are. */
interface Locks {
  workspace: number;
  others: boolean;
}

/** What a transaction has locked, and the last of its statements that locked something. */
interface Held extends Locks {
  transaction: string;
  last: string;
}

/** As PostgreSQL calls them, the weakest first. */
const STRENGTHS = ['', 'LCS_FORKEYSHARE', 'LCS_FORSHARE', 'LCS_FORNOKEYUPDATE', 'LCS_FORUPDATE'];

/** No update changes a key of a workspace. */
const WRITES: Readonly<Record<string, string>> = {
  InsertStmt: 'LCS_FORUPDATE',
  UpdateStmt: 'LCS_FORNOKEYUPDATE',
  DeleteStmt: 'LCS_FORUPDATE',
};

/**
 * Looks whether each transaction that locks its workspace begins with that, as strongly as it ever will. Otherwise one that has
 * a row may wait for the workspace, and one that has the workspace for that row.
 */
export class LockOrder {
  readonly #locks = new Map<string, Locks>();
  /** By session, what its transaction has locked. */
  readonly #held = new Map<string, Held>();

  /** @returns what is wrong with it, after what the same session has sent before: at most one problem */
  check({ sql, session, transaction }: Pick<LoggedStatement, 'sql' | 'session' | 'transaction'>): string[] {
    const locks = this.#locks.get(sql) ?? locksOf(sql);
    this.#locks.set(sql, locks);
    const before = this.#held.get(session);
    const held = before?.transaction === transaction ? before : { transaction, workspace: 0, others: false, last: '' };
    const isLate = locks.workspace > held.workspace && (held.workspace > 0 || held.others);
    this.#held.set(session, {
      transaction,
      workspace: Math.max(held.workspace, locks.workspace),
      others: held.others || locks.others,
      last: locks.workspace > 0 || locks.others ? sql : held.last,
    });
    return isLate ? [`workspaces: locked, or more strongly, after: ${held.last.slice(0, 300)}`] : [];
  }
}

function locksOf(sql: string): Locks {
  const locks = { workspace: 0, others: false };
  for (const { stmt } of parseSync(sql).stmts ?? []) if (stmt !== undefined) addLocks(stmt, locks);
  return locks;
}

/** What statements that lock rows have of it. */
type Locking = Pick<UpdateStmt, 'relation'> & Pick<SelectStmt, 'lockingClause' | 'fromClause'>;

/** Adds those of a part of a statement, and of the queries within, however deep. */
function addLocks(part: object, locks: Locks): void {
  for (const [kind, node] of Object.entries<unknown>({ ...part })) {
    if (typeof node !== 'object' || node === null) continue;
    const { relation, lockingClause = [], fromClause = [] }: Locking = node;
    if (kind in WRITES) add(relation, WRITES[kind], locks);
    for (const clause of lockingClause) {
      const { strength } = 'LockingClause' in clause ? clause.LockingClause : {};
      for (const table of tablesIn(fromClause)) add(table, strength, locks);
    }
    addLocks(node, locks);
  }
}

function add(table: RangeVar | undefined, strength: string | undefined, locks: Locks): void {
  if (table?.relname === 'workspaces') locks.workspace = Math.max(locks.workspace, STRENGTHS.indexOf(strength ?? ''));
  else locks.others = true;
}
