import { CompiledQuery, type Kysely, type KyselyPlugin, type QueryId, type RootOperationNode, sql } from 'kysely';
import type { Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { isPostgres } from '../text-column.ts';
import { ofTest } from './statements-of-tests.ts';

/** How an engine runs a statement. */
export interface QueryPlan {
  /** In the engine's own words. */
  text: string;
  /** Whether it reads a whole table, or sorts more than the limited part of one. */
  readsAll: boolean;
  /** How many rows it took from tables and indexes; SQLite does not tell. */
  rowsRead: number | undefined;
}

/** The plans of all that `work` reads. PostgreSQL plans with the statistics of what is in the tables now. */
export async function readPlans(
  { db }: Storage,
  work: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<readonly QueryPlan[]> {
  const nodes = new Map<QueryId, RootOperationNode>();
  const sent: QueryId[] = [];
  const recording: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      nodes.set(queryId, node);
      return node;
    },
    // Queries within others have none.
    transformResult: async ({ result, queryId }) => {
      sent.push(queryId);
      return result;
    },
  };
  await work(db.withPlugin(recording));
  const plans = sent.map((queryId) => {
    const node = nodes.get(queryId);
    if (node === undefined) throw new Error('A query has a result that was never sent.');
    const { sql: text, parameters } = db.getExecutor().compileQuery(node, queryId);
    return isPostgres(db) ? postgresPlan(db, text, parameters) : sqlitePlan(db, text, parameters);
  });
  return Promise.all(plans);
}

/** What a test fills a table with is unknown to PostgreSQL's planner until it has looked. */
export async function gatherStatistics(storage: Storage, table: keyof Tables): Promise<void> {
  if (isPostgres(storage.db)) await sql`analyze ${sql.table(table)}`.execute(ofTest(storage).db);
}

async function sqlitePlan(db: Kysely<Tables>, text: string, parameters: readonly unknown[]): Promise<QueryPlan> {
  const { rows } = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
  );
  const steps = rows.map(({ detail }) => detail);
  const readsAll = steps.some(
    (step, index) =>
      /^SCAN (?!part$|some$|CONSTANT ROW$)/.test(step) ||
      (step.includes('TEMP B-TREE') && steps[index - 1] !== 'SCAN part'),
  );
  return { text: steps.join('\n'), readsAll, rowsRead: undefined };
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** What is said of each step. */
const WORDS = ['Node Type', 'Relation Name', 'Index Name', 'Index Cond'] as const;

async function postgresPlan(db: Kysely<Tables>, text: string, parameters: readonly unknown[]): Promise<QueryPlan> {
  const explain = CompiledQuery.raw(`explain (analyze, format json) ${text} /* a test */`, [...parameters]);
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain);
  const nodes = (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => withAllBelow(Plan));
  const ofTables = nodes.filter((node) => node['Relation Name'] !== undefined);
  return {
    text: nodes.map((node) => WORDS.flatMap((word) => node[word] ?? []).join(' ')).join('\n'),
    readsAll: ofTables.some((node) => node['Node Type'] === 'Seq Scan'),
    rowsRead: ofTables.reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    ),
  };
}

function withAllBelow(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withAllBelow)];
}
