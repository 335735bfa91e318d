import type { Migration } from 'kysely/migration';
import * as accounts from './0001_accounts.ts';
import * as branches from './0002_branches.ts';
import * as inspector from './0003_inspector.ts';
import * as rateLimits from './0004_rate_limits.ts';
import * as inspectorGrowth from './0005_inspector_growth.ts';
import * as workspaceEnd from './0006_workspace_end.ts';
import * as maintenance from './0007_maintenance.ts';
import * as people from './0008_people.ts';
import * as lists from './0009_lists.ts';
import * as inspectorVolume from './0010_inspector_volume.ts';
import * as inspectorIssues from './0011_inspector_issues.ts';
import * as live from './0012_live.ts';
import * as oidc from './0013_oidc.ts';
import * as keyUse from './0014_key_use.ts';
import * as idleSessions from './0015_idle_sessions.ts';
import * as finishedSignIns from './0016_finished_sign_ins.ts';
import * as refused from './0017_refused.ts';

/** All migrations, in the order they run. A released migration never changes; add a new one instead. */
export const migrations: Record<string, Migration> = {
  '0001_accounts': accounts,
  '0002_branches': branches,
  '0003_inspector': inspector,
  '0004_rate_limits': rateLimits,
  '0005_inspector_growth': inspectorGrowth,
  '0006_workspace_end': workspaceEnd,
  '0007_maintenance': maintenance,
  '0008_people': people,
  '0009_lists': lists,
  '0010_inspector_volume': inspectorVolume,
  '0011_inspector_issues': inspectorIssues,
  '0012_live': live,
  '0013_oidc': oidc,
  '0014_key_use': keyUse,
  '0015_idle_sessions': idleSessions,
  '0016_finished_sign_ins': finishedSignIns,
  '0017_refused': refused,
};
