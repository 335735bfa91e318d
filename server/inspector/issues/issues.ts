import type { Transaction } from 'kysely';
import { ManyKeys } from '../../storage/many-keys.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { joinKey } from '../ingest/delivery.ts';
import { inKeyOrder } from '../rows.ts';
import { type Finding, issueId } from './finding.ts';
import { makeRoom } from './room.ts';
import type { IssueRow } from './tables.ts';

/** An event in a source and environment. */
export type PlaceEvent = Pick<IssueRow, 'event_key' | 'source' | 'environment'>;

export function placeEventKey({ event_key, source, environment }: PlaceEvent): string {
  return joinKey(event_key, source, environment);
}

const findIssues = new ManyKeys<PlaceEvent, IssueRow>('issues', ['event_key', 'source', 'environment']);

const IDENTITY = [
  'kind',
  'event_key',
  'path_key',
  'event_name',
  'path',
  'source',
  'environment',
  'first_seen',
] as const;

const CHANGING = [
  'app_version',
  'compared_with',
  'state',
  'last_seen',
  'raised_at',
  'changed_at',
  'changed_by',
] as const;

const putRows = new ManyRows(['workspace_id', 'issue_id', ...IDENTITY, ...CHANGING], (db, rows: readonly IssueRow[]) =>
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
  readonly #stored: ReadonlySet<string>;
  readonly #issues: Map<string, IssueRow>;
  readonly #changed = new Map<string, IssueRow>();

  private constructor(workspaceId: string, stored: readonly IssueRow[]) {
    this.#workspaceId = workspaceId;
    this.#stored = new Set(stored.map(({ issue_id }) => issue_id));
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

  all(): IssueRow[] {
    return [...this.#issues.values()];
  }

  /** Returns the issue of a finding. */
  get(finding: Finding): IssueRow | undefined {
    return this.#issues.get(issueId(finding));
  }

  /** @param since when an app version was first seen: if later than an issue's resolution, the issue reopens */
  add(finding: Finding, since: (place: Finding | IssueRow) => number): void {
    const id = issueId(finding);
    const before = this.#issues.get(id);
    const { at, ...found } = finding;
    if (before === undefined) {
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
      return;
    }
    const { app_version, compared_with } = since(finding) >= since(before) ? finding : before;
    const comesBack = before.state === 'resolved' && since(finding) > (before.changed_at ?? 0);
    this.#put({
      ...before,
      app_version,
      compared_with,
      last_seen: Math.max(before.last_seen, at),
      ...(comesBack && { state: 'open', raised_at: at, changed_at: at, changed_by: null }),
    });
  }

  /** Resolves an open issue, since the missing data has arrived. */
  mend(issue: IssueRow, at: number): void {
    if (issue.state === 'open') this.#put({ ...issue, state: 'resolved', changed_at: at, changed_by: null });
  }

  /** Writes changed issues, and new ones as far as there is room. */
  async save(tx: Transaction<Tables>): Promise<void> {
    const rows = inKeyOrder(this.#changed);
    const [stored, added] = [
      rows.filter(({ issue_id }) => this.#stored.has(issue_id)),
      rows.filter(({ issue_id }) => !this.#stored.has(issue_id)),
    ];
    const kept = await makeRoom(tx, this.#workspaceId, added);
    await putRows.execute(tx, [...stored, ...kept]);
  }

  #put(issue: IssueRow): void {
    this.#issues.set(issue.issue_id, issue);
    this.#changed.set(issue.issue_id, issue);
  }
}
