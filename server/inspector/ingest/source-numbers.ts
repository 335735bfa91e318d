import { type CompiledQuery, sql, type Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from './delivery.ts';

/** How many numbers are remembered; they never change in a life of the database. */
const REMEMBERED = 10_000;

/** A source, and the life of the database in which its number is asked for. */
interface Asked {
  workspaceId: string;
  life: string;
  source: string;
}

/** The numbers that a transaction uses of sources. */
export interface UsedNumbers {
  numbers: ReadonlyMap<string, number>;
  /** The sources that had none before. */
  added: ReadonlySet<string>;
}

/** The numbers of sources. */
export class SourceNumbers {
  readonly #known = new LRUCache<string, number>({ max: REMEMBERED });

  /** Whether it takes no statement to tell the number of a source. */
  knows(life: string, source: string): boolean {
    return this.#known.has(joinKey(life, source));
  }

  /** The number of a source, which gets one when it is first asked for: see {@link compileForgotten}. */
  async of(tx: Transaction<Tables>, asked: Asked): Promise<{ number: number; isNew: boolean }> {
    const { workspaceId, life, source } = asked;
    const key = joinKey(life, source);
    const known = this.#known.get(key) ?? (await find(tx, workspaceId, source));
    if (known !== undefined) {
      this.#known.set(key, known);
      return { number: known, isNew: false };
    }
    // Not remembered before it is committed: the transaction may still fail.
    const number = await add(tx, workspaceId, source);
    return number === undefined ? this.of(tx, asked) : { number, isNew: true };
  }
}

/** What takes their numbers from sources that this transaction gave one, and of which it accepted nothing in the end. */
export function compileForgotten(
  tx: Transaction<Tables>,
  workspaceId: string,
  sources: ReadonlySet<string>,
): CompiledQuery[] {
  if (sources.size === 0) return [];
  const forgotten = tx
    .deleteFrom('sources')
    .where('workspace_id', '=', workspaceId)
    .where('source', 'in', [...sources]);
  return [forgotten.compile()];
}

async function find(tx: Transaction<Tables>, workspaceId: string, source: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('sources')
    .select('source_number')
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .executeTakeFirst();
  return row?.source_number;
}

/** @returns undefined when another transaction has just added one, of whatever source, under the same number */
async function add(tx: Transaction<Tables>, workspaceId: string, source: string): Promise<number | undefined> {
  const { last } = await tx
    .selectFrom('sources')
    .select(({ fn }) => fn.coalesce(fn.max('source_number'), sql<number>`0`).as('last'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const row = await tx
    .insertInto('sources')
    .values({ workspace_id: workspaceId, source, source_number: last + 1 })
    .onConflict((conflict) => conflict.doNothing())
    .returning('source_number')
    .executeTakeFirst();
  return row?.source_number;
}
