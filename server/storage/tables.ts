import type { AccountTables } from '../accounts/tables.ts';
import type { BranchTables } from '../branches/tables.ts';
import type { InspectorTables } from '../inspector/tables.ts';

/** Every table of the database. Each capability describes its own, beside its store. Times are milliseconds since 1970, UTC. */
export interface Tables extends AccountTables, BranchTables, InspectorTables {}
