import type { AccountTables } from '../accounts/tables.ts';
import type { BranchTables } from '../branches/tables.ts';
import { SLOT_TABLES, type SlotTable } from '../inspector/ingest/message-slots.ts';
import type { InspectorTables } from '../inspector/tables.ts';
import type { MaintenanceTables } from '../maintenance/tables.ts';
import type { RateLimitTables } from './postgres/shared-buckets.ts';
import type { MessageTables } from './postgres/shared-messages.ts';

/** Every table of the database. Each capability describes its own next to its store. Times are milliseconds since 1970, UTC. */
export interface Tables
  extends AccountTables, BranchTables, InspectorTables, MaintenanceTables, MessageTables, RateLimitTables {}

/** Are about workspaces themselves, or hold transient data that is pruned. */
const OTHER_TABLES = ['workspaces', 'maintenance', 'rate_limits', 'live_messages'] as const satisfies (keyof Tables)[];

/** A table with a workspace's data. */
export type WorkspaceTable = Exclude<keyof Tables, (typeof OTHER_TABLES)[number]>;

const MESSAGE_KEY = ['source_number', 'message_id'] as const;

const MESSAGE_KEYS = Object.fromEntries(SLOT_TABLES.map((table) => [table, MESSAGE_KEY])) as Record<
  SlotTable,
  typeof MESSAGE_KEY
>;

/** For each table of a workspace's data, the columns after `workspace_id` in its primary key, in order. */
export const WORKSPACE_KEYS = {
  service_accounts: ['account_id'],
  api_keys: ['key_id'],
  users: ['user_id'],
  sessions: ['session_hash'],
  sign_in_links: ['token_hash'],
  finished_sign_ins: ['state_hash'],
  audit_lines: ['line_id'],
  branches: ['branch_id'],
  branch_events: ['branch_id', 'sequence'],
  sources: ['source'],
  event_names: ['event_key'],
  shapes: ['event_key', 'shape_id'],
  source_shapes: ['event_key', 'shape_id', 'source', 'environment'],
  app_versions: ['source', 'app_version'],
  observed_events: ['event_key', 'source', 'app_version', 'environment'],
  observed_shapes: ['event_key', 'source', 'app_version', 'environment', 'shape_id'],
  observed_properties: ['event_key', 'path_key'],
  observed_types: ['event_key', 'path_key', 'type', 'source', 'environment'],
  inspector_usage: ['holder'],
  pending_counts: ['entry_id'],
  event_totals: ['environment', 'event_key', 'source'],
  event_volumes: ['event_key', 'app_version', 'day', 'source', 'environment'],
  volume_days: ['source', 'day'],
  issues: ['issue_id'],
  issue_names: ['event_key', 'folded_key'],
  issue_versions: ['source', 'environment', 'app_version'],
  issue_news: ['entry_id'],
  ...MESSAGE_KEYS,
  seen_batches: ['source_number', 'batch_id'],
} as const satisfies { [Table in WorkspaceTable]: readonly Exclude<keyof Tables[Table], 'workspace_id'>[] };

/** The tables of a workspace's data, accounts and keys first. */
export const WORKSPACE_TABLES = Object.keys(WORKSPACE_KEYS) as WorkspaceTable[];

export const TABLES: readonly (keyof Tables)[] = [...WORKSPACE_TABLES, ...OTHER_TABLES];
