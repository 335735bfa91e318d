export interface MaintenanceTables {
  maintenance: MaintenanceRow;
}

/** One row per task that has run. Belongs to no workspace. */
export interface MaintenanceRow {
  task: string;
  /** When it is due again. */
  due_at: number;
  /** The process that runs it; null: none. */
  holder: string | null;
  /** When the holder's lease expires, unless renewed. */
  leased_until: number;
  /** For the retention task: data older than this may be deleted. */
  horizon: number | null;
  /** When the horizon was moved last. */
  horizon_moved_at: number | null;
}
