export interface MaintenanceTables {
  maintenance: MaintenanceRow;
}

/** One row for each task that has run. It belongs to no workspace. */
export interface MaintenanceRow {
  task: string;
  /** From when on it is to run again. */
  due_at: number;
  /** The process that runs it; null: none. */
  holder: string | null;
  /** Until when the holder has it, unless it says again that it goes on. */
  leased_until: number;
  /** Of the task that forgets: what is older than this may be forgotten. */
  horizon: number | null;
  /** When the horizon was moved last. */
  horizon_moved_at: number | null;
}
