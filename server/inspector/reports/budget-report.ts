import type { components } from '../../generated/types.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Budget, shareBudget, type HolderKind, NOTHING, type Novelty } from '../budget.ts';
import { MAX_HOLDERS_NAMED } from '../limits.ts';
import type { UsageRow } from '../tables.ts';
import { KEY, rangeOf, SOURCE, toNovelty } from '../ingest/usage.ts';

type InspectorBudget = components['schemas']['InspectorBudget'];
type BudgetUse = components['schemas']['BudgetUse'];

/** Reports the budget usage of a workspace, its sources and its keys. */
export async function inspectorBudget(storage: Storage, workspaceId: string, budget: Budget): Promise<InspectorBudget> {
  const [whole] = await readUsage(storage, workspaceId, 'workspace');
  const sources = await readUsage(storage, workspaceId, SOURCE);
  const keys = await readUsage(storage, workspaceId, KEY);
  return {
    workspace: view('workspace', whole === undefined ? NOTHING : toNovelty(whole), budget),
    sources: sources.map((row) => ({
      source: row.holder.slice(SOURCE.length),
      budget: view('source', toNovelty(row), budget),
    })),
    apiKeys: keys.map((row) => ({ keyId: row.holder.slice(KEY.length), budget: view('key', toNovelty(row), budget) })),
  };
}

/** Returns the holders with this prefix, largest first. */
function readUsage({ db }: Storage, workspaceId: string, beginning: string): Promise<UsageRow[]> {
  const [first, end] = rangeOf(beginning);
  return db
    .selectFrom('inspector_usage')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('holder', '>=', first)
    .where('holder', '<', end)
    .orderBy('bytes', 'desc')
    .orderBy('holder')
    .limit(MAX_HOLDERS_NAMED)
    .execute();
}

function view(kind: HolderKind, used: Novelty, budget: Budget): BudgetUse {
  const most = shareBudget(kind, budget);
  return {
    appVersions: { used: used.appVersions, most: most.appVersions },
    eventNames: { used: used.eventNames, most: most.eventNames },
    shapes: { used: used.shapes, most: most.shapes },
    properties: { used: used.properties, most: most.properties },
    bytes: { used: used.bytes, most: most.bytes },
  };
}
