import type { Transaction } from 'kysely';
import { ManyKeys } from '../../storage/many-keys.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import { inKeyOrder } from '../rows.ts';
import type { IssueNameRow } from './tables.ts';

/** Where a name stands, and its folded form. */
export type NameKey = Pick<IssueNameRow, 'event_key' | 'folded_key'>;

const KEY = ['event_key', 'folded_key'] as const;

const findNames = new ManyKeys<NameKey, IssueNameRow>('issue_names', KEY);

const addNames = new ManyRows(['workspace_id', ...KEY, 'name'], (db, rows: readonly IssueNameRow[]) =>
  db.insertInto('issue_names').values(rows),
);

/** The names that a workspace has seen, by their folded form. */
export class Names {
  readonly #workspaceId: string;
  readonly #first: Map<string, string>;
  readonly #added = new Map<string, IssueNameRow>();

  private constructor(workspaceId: string, known: readonly IssueNameRow[]) {
    this.#workspaceId = workspaceId;
    this.#first = new Map(known.map((row) => [nameKey(row), row.name]));
  }

  static async of(tx: Transaction<Tables>, workspaceId: string, keys: readonly NameKey[]): Promise<Names> {
    const wanted = inKeyOrder(new Map(keys.map((key) => [nameKey(key), key])));
    return new Names(workspaceId, await findNames.execute(tx, workspaceId, wanted));
  }

  /** @returns the first name with the same folded form; undefined if this is the first */
  see(key: NameKey, name: string): string | undefined {
    const first = this.#first.get(nameKey(key));
    if (first !== undefined) return first;
    this.#first.set(nameKey(key), name);
    this.#added.set(nameKey(key), { workspace_id: this.#workspaceId, ...key, name });
    return undefined;
  }

  async save(tx: Transaction<Tables>): Promise<void> {
    await addNames.execute(tx, inKeyOrder(this.#added));
  }
}

function nameKey({ event_key, folded_key }: NameKey): string {
  return joinKey(event_key, folded_key);
}
