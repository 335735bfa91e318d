import type { StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointReply, CheckpointRequest } from './checkpoint-requests.ts';
import { openConnection } from './connection.ts';

// The thread that writes the log back into the database file, for which nobody else has to wait.
const database = openConnection(String(workerData));
// So long writers wait at most for those who read from the log when it is to begin anew.
database.exec('pragma busy_timeout = 50');
const passive = database.prepare('pragma wal_checkpoint(passive)');
const restart = database.prepare('pragma wal_checkpoint(restart)');

/** What is written meanwhile is written back by the next one, which has less to do. */
const MOST_PASSIVE = 4;

/** So little may be left to what makes writers wait: 4 MiB. */
const LITTLE_FRAMES = 1_000;

parentPort?.on('message', (request: CheckpointRequest) => {
  if (request === 'close') {
    database.close();
    process.exit();
  }
  parentPort?.postMessage(answer(request));
});

function answer(request: Exclude<CheckpointRequest, 'close'>): CheckpointReply {
  try {
    return request === 'write back' ? writeBack() : beginAnew();
  } catch (error) {
    return { state: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** While others write. */
function writeBack(): CheckpointReply {
  let before = 0;
  let began = performance.now();
  for (let times = 0; times < MOST_PASSIVE; times += 1) {
    began = performance.now();
    const { log, checkpointed } = run(passive);
    if (checkpointed < log) return keep(checkpointed);
    if (log - before < LITTLE_FRAMES) break;
    before = log;
  }
  return { state: 'almost', tookMs: performance.now() - began };
}

function beginAnew(): CheckpointReply {
  const { busy, checkpointed } = run(restart);
  return busy === 0 ? { state: 'anew' } : keep(checkpointed);
}

/** Frames that were in the file when something was last kept. */
let keptAt = 0;

function keep(checkpointed: number): CheckpointReply {
  const hasWritten = checkpointed !== keptAt;
  keptAt = checkpointed;
  return { state: 'kept', hasWritten };
}

interface Checkpoint {
  /** 1 where others kept it from its end. */
  busy: number;
  /** Frames. */
  log: number;
  checkpointed: number;
}

/** https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
function run(checkpoint: StatementSync): Checkpoint {
  const { busy, log, checkpointed } = checkpoint.get() ?? {};
  return { busy: Number(busy), log: Number(log), checkpointed: Number(checkpointed) };
}
