import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from './connection.ts';
import { packRows, unpackValues } from './packed-values.ts';
import { StatementCache } from './statement-cache.ts';
import type { WriterReply, WriterRequest, WriterStatement } from './writer.ts';

// The thread that writes: what takes SQLite long holds up nothing but other writes. One request at a time, in their order.
const database = openConnection(String(workerData));
const cache = new StatementCache(database);

parentPort?.on('message', (requests: readonly WriterRequest[]) => {
  parentPort?.postMessage(answerAll(requests));
});

/** After one that fails, those that came with it are not run: SQLite may have ended their transaction. */
function answerAll(requests: readonly WriterRequest[]): WriterReply[] {
  const replies: WriterReply[] = [];
  let failed: WriterReply | undefined;
  for (const request of requests) {
    const reply = failed ?? answer(request);
    if ('error' in reply) failed = reply;
    replies.push(reply);
  }
  return replies;
}

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
  return { changes: 0 };
}

function execute({ sql, ...parameters }: WriterStatement) {
  const { statement, givesRows } = cache.prepare(sql);
  const values = unpackValues(parameters);
  if (givesRows) return { rows: packRows(statement.all(...values)), changes: 0 };
  return { changes: Number(statement.run(...values).changes) };
}
