import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CheckpointReply, CheckpointRequest } from './checkpoints.ts';
import { openConnection } from './connection.ts';

// The thread that writes the log back into the database file, for which nobody else has to wait.
const database = openConnection(String(workerData));
// So long a writer, while all it wrote is being written back, waits for those who read from the log.
database.exec('pragma busy_timeout = 50');
const passive = prepareCheckpoint(database, 'passive');
const restart = prepareCheckpoint(database, 'restart');

/** What is written meanwhile is written back by the next one, which has less to do. */
const MOST_PASSIVE = 4;

/** So little may be left to what makes writers wait: 4 MiB. */
const LITTLE_FRAMES = 1_000;

const MOST_RESTARTS = 5;

parentPort?.on('message', (request: CheckpointRequest) => {
  if (request === 'close') {
    database.close();
    process.exit();
  }
  const reply: CheckpointReply = tryToWriteBack();
  parentPort?.postMessage(reply);
});

/** Of a full disk, a damaged file or another program's lock, reads and writes tell. */
function tryToWriteBack(): CheckpointReply {
  try {
    writeBack();
    return 'tried';
  } catch {
    return 'failed';
  }
}

/** Most of it while others write, and the rest while they wait, so that the log begins anew however much is written. */
function writeBack(): void {
  let before = 0;
  for (let times = 0; times < MOST_PASSIVE; times += 1) {
    const { log, checkpointed } = run(passive);
    // A snapshot needs what is left.
    if (checkpointed < log) return;
    if (log - before < LITTLE_FRAMES) break;
    before = log;
  }
  for (let times = 0; times < MOST_RESTARTS; times += 1) if (run(restart).busy === 0) return;
}

interface Checkpoint {
  /** 1 where others kept it from its end. */
  busy: number;
  /** Frames. */
  log: number;
  checkpointed: number;
}

/** https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
function prepareCheckpoint(connection: DatabaseSync, mode: 'passive' | 'restart'): StatementSync {
  return connection.prepare(`pragma wal_checkpoint(${mode})`);
}

function run(checkpoint: StatementSync): Checkpoint {
  const { busy, log, checkpointed } = checkpoint.get() ?? {};
  return { busy: Number(busy), log: Number(log), checkpointed: Number(checkpointed) };
}
