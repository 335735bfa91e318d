import type { AccountTables } from '../accounts/tables.ts';
import type { BranchTables } from '../branches/tables.ts';
import { SLOT_TABLES, type SlotTable } from '../inspector/message-slots.ts';
import type { InspectorTables } from '../inspector/tables.ts';

import type { RateLimitTables } from './postgres/shared-buckets.ts';

/** Every table of the database. Each capability describes its own, beside its store. Times are milliseconds since 1970, UTC. */
export interface Tables extends AccountTables, BranchTables, InspectorTables, RateLimitTables {}

/** The tables that hold what a workspace has; the rest counts requests, and forgets by itself. */
export const WORKSPACE_TABLES: readonly Exclude<keyof Tables, 'workspaces' | 'rate_limits'>[] = [
  ...(Object.keys({
    service_accounts: true,
    api_keys: true,
    branches: true,
    branch_events: true,
    sources: true,
    event_names: true,
    shapes: true,
    source_shapes: true,
    app_versions: true,
    observed_events: true,
    observed_shapes: true,
    observed_properties: true,
    observed_types: true,
    inspector_usage: true,
    seen_batches: true,
  } satisfies Record<Exclude<keyof Tables, 'workspaces' | 'rate_limits' | SlotTable>, true>) as Exclude<
    keyof Tables,
    'workspaces' | 'rate_limits' | SlotTable
  >[]),
  ...SLOT_TABLES,
];
