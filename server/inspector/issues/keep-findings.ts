import type { Transaction } from 'kysely';
import { lockLiveWorkspace } from '../../storage/live-workspace.ts';
import { ManyKeys } from '../../storage/many-keys.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { inKeyOrder } from '../rows.ts';
import type { ObservedEventRow } from '../tables.ts';
import type { Finding } from './finding.ts';
import { Issues, type PlaceEvent } from './issues.ts';
import type { IssueRow, IssueVersionRow } from './tables.ts';

/** The bounds of one transaction, which limit how long other writers wait; at least one finding. */
const MOST_FINDINGS = 500;
const MOST_CHARACTERS = 131_072;

/** What a version was found wanting. */
interface Wanting {
  findings: readonly Finding[];
  /** How many of its shapes of an event were looked at, by the key of the event. */
  lookedAt: ReadonlyMap<string, number>;
}

/**
 * Keeps findings as issues, some at a time: where a version lacks what many shapes had, there are thousands. Each turn of the iterator
 * is a short transaction.
 */
export async function* keepFindings(
  storage: Storage,
  version: IssueVersionRow,
  { findings, lookedAt }: Wanting,
): AsyncGenerator<void> {
  for (const some of splitFindings(findings)) yield await keep(storage, version, { findings: some, lookedAt });
}

function* splitFindings(findings: readonly Finding[]): Generator<Finding[]> {
  let some: Finding[] = [];
  let characters = 0;
  for (const finding of findings) {
    const size = finding.event_name.length + finding.path.length;
    if (some.length === MOST_FINDINGS || (some.length > 0 && characters + size > MOST_CHARACTERS)) {
      yield some;
      some = [];
      characters = 0;
    }
    some.push(finding);
    characters += size;
  }
  if (some.length > 0) yield some;
}

function keep(storage: Storage, version: IssueVersionRow, wanting: Wanting): Promise<void> {
  return storage.write(async (tx) => {
    await lockLiveWorkspace(tx, version.workspace_id);
    const findings = await stillWanting(tx, version, wanting);
    const issues = await Issues.of(tx, version.workspace_id, findings);
    for (const finding of findings) issues.add(finding, () => version.first_seen);
    await issues.save(tx);
  });
}

const PLACE_EVENT = ['event_key', 'source', 'app_version', 'environment'] as const;

const findShapeCounts = new ManyKeys<
  PlaceEvent & Pick<IssueRow, 'app_version'>,
  Pick<ObservedEventRow, 'event_key' | 'shapes'>
>('observed_events', PLACE_EVENT, ['event_key', 'shapes']);

/**
 * Leaves out what is found about events of which the version has shapes by now that were not looked at. They may bring what was wanting,
 * and the look for issues that resolves those may be over. The next comparison looks at them.
 */
async function stillWanting(
  tx: Transaction<Tables>,
  { workspace_id, source, environment, app_version }: IssueVersionRow,
  { findings, lookedAt }: Wanting,
): Promise<Finding[]> {
  const events = new Map(
    findings.map(({ event_key }) => [event_key, { event_key, source, environment, app_version }] as const),
  );
  const rows = await findShapeCounts.execute(tx, workspace_id, inKeyOrder(events));
  const shapes = new Map(rows.map((row) => [row.event_key, row.shapes]));
  return findings.filter(({ event_key }) => (shapes.get(event_key) ?? 0) <= (lookedAt.get(event_key) ?? 0));
}
