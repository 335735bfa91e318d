import { fingerprintSync } from 'libpg-query';
import type { LoggedStatement } from '../../../server/storage/testing/statement-log.ts';
import { isOfATest } from '../../../server/storage/testing/statements-of-tests.ts';
import { EXEMPT, MIGRATION } from './exempt.ts';
import { checkStatement, type Verdict } from './workspace-rule.ts';

/** How many statements with one problem are shown. */
const SHOWN = 2;

const NOTHING: Verdict = { problems: [], tables: new Set(), workspaces: new Set() };

/** Looks at the transactions of a log, statement by statement in their order. */
export interface TransactionCheck {
  /**
   * @param workspaces those that the statement names; null or undefined for a value that is not known
   * @returns what is wrong with the statement where it stands
   */
  check: (statement: LoggedStatement, workspaces: ReadonlySet<string | null | undefined>) => readonly string[];
}

export interface CheckedLog {
  /** How many different statements there were. */
  statements: number;
  /** What keeps statements from being run by one shard, or is wrong with transactions, each with some of these statements. */
  problems: string[];
  /** Statements that may be across workspaces, and were not sent. */
  exemptButNotSent: string[];
}

/**
 * Checks what was sent: each statement once, and each time that the workspaces it was given are one.
 *
 * @param ofTransactions checks the transactions that the statements are of, too
 */
export async function checkLog(
  log: AsyncIterable<LoggedStatement>,
  ofTransactions: readonly TransactionCheck[] = [],
): Promise<CheckedLog> {
  const exempt = new Map(
    EXEMPT.flatMap(({ statements }) => statements).map((statement) => [fingerprintSync(statement), statement]),
  );
  const notSent = new Set(exempt.values());
  const verdicts = new Map<string, Verdict>();
  /** By problem, then by fingerprint. */
  const problems = new Map<string, Map<string, string>>();
  const verdictOn = (sql: string): Verdict => {
    const allowed = exempt.get(fingerprintSync(sql));
    if (allowed === undefined) return checkStatement(sql);
    notSent.delete(allowed);
    return NOTHING;
  };
  for await (const statement of log) {
    const { sql, parameters } = statement;
    if (isOfATest(sql) || sql.startsWith(MIGRATION)) continue;
    const verdict = verdicts.get(sql) ?? verdictOn(sql);
    verdicts.set(sql, verdict);
    const workspaces = workspacesOf(verdict, parameters);
    const found = [
      ...verdict.problems,
      ...severalWorkspaces(verdict, workspaces),
      ...ofTransactions.flatMap((one) => one.check(statement, workspaces)),
    ];
    for (const problem of found) {
      const statements = problems.get(problem) ?? new Map<string, string>();
      problems.set(problem, statements.set(fingerprintSync(sql), sql));
    }
  }
  return {
    statements: verdicts.size,
    problems: [...problems].map(([problem, statements]) => inWords(problem, [...statements.values()])),
    exemptButNotSent: [...notSent],
  };
}

/** The values that it names workspaces by. */
function workspacesOf({ workspaces }: Verdict, parameters: LoggedStatement['parameters'] = []) {
  return new Set(
    [...workspaces].map((name) => (name.startsWith('$') ? parameters[Number(name.slice(1)) - 1] : name.slice(1, -1))),
  );
}

function severalWorkspaces({ tables, workspaces }: Verdict, values: ReadonlySet<string | null | undefined>): string[] {
  if (workspaces.size < 2) return [];
  if (values.has(undefined)) return [`${[...tables].join()}: named by parameters whose values are not known`];
  return values.size === 1 ? [] : [`${[...tables].join()}: several workspaces at once`];
}

function inWords(problem: string, statements: readonly string[]): string {
  const shown = statements.slice(0, SHOWN).map((sql) => `    ${shortened(sql)}`);
  const others = statements.length > SHOWN ? [`    … and ${statements.length - SHOWN} more`] : [];
  return [problem, ...shown, ...others].join('\n');
}

function shortened(sql: string): string {
  return sql.length <= 500 ? sql : `${sql.slice(0, 400)} … ${sql.slice(-100)}`;
}
