import type { AccountTables } from '../accounts/tables.ts';
import type { BranchTables } from '../branches/tables.ts';
import type { InspectorTables } from '../inspector/tables.ts';
import type { RateLimitTables } from './postgres/shared-buckets.ts';

/** Every table of the database. Each capability describes its own, beside its store. Times are milliseconds since 1970, UTC. */
export interface Tables extends AccountTables, BranchTables, InspectorTables, RateLimitTables {}

/** The tables that hold what a workspace has; the rest counts requests, and forgets by itself. */
export const WORKSPACE_TABLES = Object.keys({
  service_accounts: true,
  api_keys: true,
  branches: true,
  branch_events: true,
  observed_events: true,
  observed_shapes: true,
  shape_totals: true,
  observed_properties: true,
  observed_types: true,
  type_conflicts: true,
  seen_messages: true,
  seen_batches: true,
} satisfies Record<Exclude<keyof Tables, 'workspaces' | 'rate_limits'>, true>) as (keyof Tables)[];
