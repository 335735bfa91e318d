import { parentPort, workerData } from 'node:worker_threads';
import { UnreadableValue } from '../unreadable-value.ts';
import { BusyRetry } from './busy-retry.ts';
import { openConnection } from './connection.ts';
import { packRows, unpackValues } from './packed-values.ts';
import { StatementCache } from './statement-cache.ts';
import {
  OTHER_ROWS,
  type WriterCondition,
  type WriterReply,
  type WriterRequest,
  type WriterStatement,
} from './writer-requests.ts';

// The thread that writes: what takes SQLite long holds up nothing but other writes. One request at a time, in their order.
const database = openConnection(String(workerData));
const cache = new StatementCache(database);

const busyRetry = new BusyRetry();
let answered = Promise.resolve();

parentPort?.on('message', (requests: readonly WriterRequest[]) => {
  answered = answered.then(async () => parentPort?.postMessage(await answerAll(requests)));
});

/** After one that fails, those that came with it are not run: SQLite may have ended their transaction. */
async function answerAll(requests: readonly WriterRequest[]): Promise<WriterReply[]> {
  const replies: WriterReply[] = [];
  let failed: WriterReply | undefined;
  rowsGiven = 0;
  for (const request of requests) {
    const reply = failed ?? (await answer(request));
    if ('error' in reply) failed = reply;
    replies.push(reply);
  }
  return replies;
}

async function answer(request: WriterRequest): Promise<WriterReply> {
  try {
    return { result: request === 'begin' ? await begin() : run(request) };
  } catch (error) {
    const { message, code, errcode } = Object(error);
    const unreadable = error instanceof UnreadableValue ? error.column : undefined;
    return { error: { message: String(message), code, errcode, unreadable } };
  }
}

function run(request: Exclude<WriterRequest, 'begin'>) {
  switch (request) {
    case 'commit':
      return commit();
    case 'rollback':
      return rollBack();
    case 'close':
      database.close();
      return process.exit();
    default:
      return 'sql' in request ? execute(request) : requireRows(request);
  }
}

/** How many rows the statements of the present message have given. */
let rowsGiven = 0;

function requireRows({ rows }: WriterCondition) {
  if (rowsGiven !== rows) throw Object.assign(new Error('The statements gave other rows.'), { code: OTHER_ROWS });
  return { changes: 0 };
}

/** How many rows were changed before the transaction began. */
let changedBefore = 0;

/**
 * Takes the write lock. A transaction that began as a reader and then writes fails at once (SQLITE_BUSY_SNAPSHOT) when another
 * process has written meanwhile; one that asks for the lock first waits for it.
 */
async function begin() {
  await busyRetry.run(async () => database.exec('begin immediate'));
  changedBefore = countChangedRows();
  return { changes: 0 };
}

/** @returns the number of rows that the transaction changed */
function commit() {
  database.exec('commit');
  return { changes: countChangedRows() - changedBefore };
}

function countChangedRows(): number {
  return Number(cache.prepare('select total_changes() as changed').statement.get()?.['changed']);
}

/** A full disk and its like make SQLite roll back by itself; to do so again would fail and hide the cause. */
function rollBack() {
  if (database.isTransaction) database.exec('rollback');
  return { changes: 0 };
}

function execute({ sql, ...parameters }: WriterStatement) {
  const { statement, givesRows, all } = cache.prepare(sql);
  const values = unpackValues(parameters);
  if (givesRows) {
    const rows = all(values);
    rowsGiven += rows.length;
    return { rows: packRows(rows), changes: 0 };
  }
  return { changes: Number(statement.run(...values).changes) };
}
