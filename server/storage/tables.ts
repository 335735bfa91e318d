import type { AccountTables } from '../accounts/tables.ts';
import type { BranchTables } from '../branches/tables.ts';
import type { InspectorTables } from '../inspector/tables.ts';
import type { MaintenanceTables } from '../maintenance/tables.ts';
import type { RateLimitTables } from './postgres/shared-buckets.ts';

/** Every table of the database. Each capability describes its own, beside its store. Times are milliseconds since 1970, UTC. */
export interface Tables extends AccountTables, BranchTables, InspectorTables, MaintenanceTables, RateLimitTables {}

/** A table of what a workspace has. The rest is about workspaces themselves, or about requests and is pruned by itself. */
export type WorkspaceTable = Exclude<keyof Tables, 'workspaces' | 'maintenance' | 'rate_limits'>;

/** Of each table of a workspace's data the columns that follow `workspace_id` in its primary key, in their order. */
export const WORKSPACE_KEYS = {
  service_accounts: ['account_id'],
  api_keys: ['key_id'],
  branches: ['branch_id'],
  branch_events: ['branch_id', 'sequence'],
  observed_events: ['event_key', 'source', 'app_version', 'environment'],
  observed_shapes: ['event_key', 'source', 'app_version', 'environment', 'shape_id'],
  shape_totals: ['source', 'app_version'],
  observed_properties: ['event_key', 'path_key'],
  observed_types: ['event_key', 'path_key', 'source', 'app_version', 'environment', 'type'],
  type_conflicts: ['scope', 'event_key', 'path_key'],
  seen_messages: ['source', 'message_id'],
  seen_batches: ['source', 'batch_id'],
} as const satisfies { [Table in WorkspaceTable]: readonly Exclude<keyof Tables[Table], 'workspace_id'>[] };

/** The tables of a workspace's data, accounts and keys first. */
export const WORKSPACE_TABLES = Object.keys(WORKSPACE_KEYS) as WorkspaceTable[];
