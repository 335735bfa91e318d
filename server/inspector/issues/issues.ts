import { takeUrgentTurn } from '@branchline/runtime';
import type { Transaction } from 'kysely';
import { ManyKeys } from '../../storage/many-keys.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import { inKeyOrder } from '../rows.ts';
import { type Finding, issueId } from './finding.ts';
import { makeRoom } from './room.ts';
import type { IssueRow } from './tables.ts';

/** An issue without its texts, which may be long: an event may have thousands of issues. */
export type KnownIssue = Omit<IssueRow, 'event_name' | 'path'>;

/** Where an issue was found, or found again. */
type Place = Pick<IssueRow, 'source' | 'environment' | 'app_version'>;

/** An event in a source and environment. */
export type PlaceEvent = Pick<IssueRow, 'event_key' | 'source' | 'environment'>;

export function placeEventKey({ event_key, source, environment }: PlaceEvent): string {
  return joinKey(event_key, source, environment);
}

const TEXTS = ['event_name', 'path'] as const;

const IDENTITY = ['kind', 'event_key', 'path_key', 'source', 'environment'] as const;

const CHANGING = [
  'app_version',
  'compared_with',
  'state',
  'first_seen',
  'last_seen',
  'raised_at',
  'changed_at',
  'changed_by',
] as const;

const KNOWN = ['workspace_id', 'issue_id', ...IDENTITY, ...CHANGING] as const;

const findIssues = new ManyKeys<PlaceEvent, KnownIssue>('issues', ['event_key', 'source', 'environment'], KNOWN);

/** A power of two, for which there is one statement. */
const ROWS_AT_A_TIME = 256;

/** Stored rows keep their texts. */
const putRows = new ManyRows([...KNOWN, ...TEXTS], (db, rows: readonly IssueRow[]) =>
  db
    .insertInto('issues')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'issue_id'])
        .doUpdateSet(({ ref }) => Object.fromEntries(CHANGING.map((column) => [column, ref(`excluded.${column}`)]))),
    ),
);

/** The issues of some events, to which findings are added. In each workspace, one transaction at a time does this. */
export class Issues {
  readonly #workspaceId: string;
  readonly #issues: Map<string, KnownIssue>;
  /** Those that are not stored yet. */
  readonly #added = new Map<string, Pick<IssueRow, 'event_name' | 'path'>>();
  readonly #changed = new Map<string, KnownIssue>();

  private constructor(workspaceId: string, stored: readonly KnownIssue[]) {
    this.#workspaceId = workspaceId;
    this.#issues = new Map(stored.map((issue) => [issue.issue_id, issue]));
  }

  static async of(tx: Transaction<Tables>, workspaceId: string, events: readonly PlaceEvent[]): Promise<Issues> {
    const keys = new Map(
      events.map(({ event_key, source, environment }) => {
        const key = { event_key, source, environment };
        return [placeEventKey(key), key];
      }),
    );
    return new Issues(workspaceId, await findIssues.execute(tx, workspaceId, inKeyOrder(keys)));
  }

  all(): KnownIssue[] {
    return [...this.#issues.values()];
  }

  /** Returns the issue of a finding. */
  get(finding: Finding): KnownIssue | undefined {
    return this.known(issueId(finding));
  }

  known(issueId: string): KnownIssue | undefined {
    return this.#issues.get(issueId);
  }

  /** @param since when an app version was first seen: if later than an issue's resolution, the issue reopens */
  add(finding: Finding, since: (place: Place) => number): void {
    const id = issueId(finding);
    const before = this.#issues.get(id);
    if (before !== undefined) return this.seeAgain(before, finding, since);
    const { at, event_name, path, ...found } = finding;
    this.#added.set(id, { event_name, path });
    this.#put({
      workspace_id: this.#workspaceId,
      issue_id: id,
      ...found,
      state: 'open',
      first_seen: at,
      last_seen: at,
      raised_at: at,
      changed_at: null,
      changed_by: null,
    });
  }

  /** Records that an issue was found again. */
  seeAgain(
    before: KnownIssue,
    found: Place & Pick<Finding, 'compared_with' | 'at'>,
    since: (place: Place) => number,
  ): void {
    const { app_version, compared_with } = since(found) >= since(before) ? found : before;
    const comesBack = before.state === 'resolved' && since(found) > (before.changed_at ?? 0);
    this.#put({
      ...before,
      app_version,
      compared_with,
      first_seen: Math.min(before.first_seen, found.at),
      last_seen: Math.max(before.last_seen, found.at),
      ...(comesBack && { state: 'open', raised_at: found.at, changed_at: found.at, changed_by: null }),
    });
  }

  /** Resolves an open issue, since the missing data has arrived. */
  mend(issue: KnownIssue, at: number): void {
    if (issue.state === 'open') this.#put({ ...issue, state: 'resolved', changed_at: at, changed_by: null });
  }

  /** Writes changed issues, and new ones as far as there is room. */
  async save(tx: Transaction<Tables>): Promise<void> {
    const stored: IssueRow[] = [];
    const added: IssueRow[] = [];
    for (const issue of inKeyOrder(this.#changed)) {
      const texts = this.#added.get(issue.issue_id);
      if (texts === undefined) stored.push({ ...issue, event_name: '', path: '' });
      else added.push({ ...issue, ...texts });
    }
    // Before room is made: a row that is gone would come back without its texts.
    await this.#write(tx, stored);
    await this.#write(tx, await makeRoom(tx, this.#workspaceId, added));
  }

  async #write(tx: Transaction<Tables>, rows: readonly IssueRow[]): Promise<void> {
    for (let start = 0; start < rows.length; start += ROWS_AT_A_TIME) {
      if (start > 0) await takeUrgentTurn(this.#workspaceId);
      await putRows.execute(tx, rows.slice(start, start + ROWS_AT_A_TIME));
    }
  }

  #put(issue: KnownIssue): void {
    this.#issues.set(issue.issue_id, issue);
    this.#changed.set(issue.issue_id, issue);
  }
}
