import { CompiledQuery, type Kysely } from 'kysely';
import { ManyRows } from './many-rows.ts';
import type { Tables } from './tables.ts';
import { isPostgres } from './text-column.ts';

/**
 * A look-up of any number of keys within one workspace. The workspace is named by equality: so an engine that shards by it asks
 * one shard.
 *
 * @example
 * const findTags = new ManyKeys<TagKey, TagRow>('tags', ['tag']);
 * await findTags.execute(tx, 'shop', [{ tag: 'new' }, { tag: 'old' }]);
 */
export class ManyKeys<Key extends object, Result extends object = Key> {
  readonly #rows: ManyRows<Key, Result>;

  /**
   * @param columns those of a key: texts, by which an index of the table goes on after the workspace
   * @param read which columns are read, or what is made of them; all unless given
   */
  constructor(table: keyof Tables, columns: readonly (keyof Key & string)[], read: readonly ReadColumn<Result>[] = []) {
    this.#rows = new ManyRows(columns, (db, keys) => {
      const write = isPostgres(db) ? writeForPostgres : writeForSqlite;
      const text = write({ table, columns, read: read.join(', ') || '*', count: keys.length });
      return { compile: () => CompiledQuery.raw(text) };
    });
  }

  /** The rows that are found, in no order. */
  execute(db: Kysely<Tables>, workspaceId: string, keys: readonly Key[]): Promise<Result[]> {
    return this.#rows.execute(db, keys, [workspaceId]);
  }

  /** The statements that find them. */
  compile(db: Kysely<Tables>, workspaceId: string, keys: readonly Key[]): CompiledQuery<Result>[] {
    return this.#rows.compile(db, keys, [workspaceId]);
  }
}

/** A column, or what is made of one, by the name that it has in the result. */
type ReadColumn<Result> = (keyof Result & string) | `${string} as ${keyof Result & string}`;

interface LookUp {
  readonly table: string;
  readonly columns: readonly string[];
  readonly read: string;
  /** How many keys it has. */
  readonly count: number;
}

function writeForSqlite({ table, columns, read, count }: LookUp): string {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const rows = Array.from({ length: count }, () => row).join(', ');
  return `select ${read} from ${table} where workspace_id = ? and (${columns.join(', ')}) in (values ${rows})`;
}

/**
 * One step in an index for each key, whatever PostgreSQL's statistics say: of a workspace that is new to them it expects a single
 * row, and would compare each of a hundred thousand with every key. `offset 0` keeps it from planning a join.
 */
function writeForPostgres({ table, columns, read, count }: LookUp): string {
  const row = (index: number) => `(${columns.map((_, at) => `$${2 + index * columns.length + at}`).join(', ')})`;
  const rows = Array.from({ length: count }, (_, index) => row(index)).join(', ');
  const isWanted = columns.map((column) => `${table}.${column} = wanted.${column}`).join(' and ');
  const given = `select distinct * from (values ${rows}) as given (${columns.join(', ')})`;
  const found = `select ${read} from ${table} where ${table}.workspace_id = $1 and ${isWanted} offset 0`;
  return `select found.* from (${given}) as wanted cross join lateral (${found}) as found`;
}
