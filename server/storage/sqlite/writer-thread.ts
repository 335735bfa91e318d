import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';
import { sqlValues, StatementCache } from './statement-cache.ts';
import type { WriterReply, WriterRequest } from './writer.ts';

// The thread that writes: what takes SQLite long holds up nothing but other writes. One request at a time, in their order.
const database = openConnection(String(workerData));
const cache = new StatementCache(database);

parentPort?.on('message', (request: WriterRequest) => {
  parentPort?.postMessage(answer(request));
});

function answer(request: WriterRequest): WriterReply {
  try {
    if (request === 'close') {
      database.close();
      process.exit();
    }
    return { result: request === 'rollback' ? rollBack() : execute(request) };
  } catch (error) {
    const { message, code, errcode } = Object(error);
    return { error: { message: String(message), code, errcode } };
  }
}

/** A full disk and its like make SQLite roll back by itself; to do so again would fail and hide the cause. */
function rollBack() {
  if (database.isTransaction) database.exec('rollback');
  return { rows: [], changes: 0 };
}

function execute({ sql, parameters }: Exclude<WriterRequest, string>) {
  const { statement, givesRows } = cache.prepare(sql);
  const values = sqlValues(parameters);
  if (givesRows) return { rows: statement.all(...values), changes: 0 };
  return { rows: [], changes: Number(statement.run(...values).changes) };
}
