import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { BUSY_TIMEOUT_MS } from './connection.ts';

// The thread that reads the whole database file, which takes seconds, or minutes where it is large.
parentPort?.postMessage(isWhole(String(workerData)));

function isWhole(file: string): boolean {
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      return database.prepare('pragma integrity_check(1)').get()?.['integrity_check'] === 'ok';
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}
