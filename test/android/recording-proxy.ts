import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Batch, EventReport } from '../support/batch.ts';
import { exchange, type Received } from '../support/exchange.ts';
import { isZipped } from './marks.ts';

/** A batch of the library, whose events are whole. */
export type LibraryBatch = Omit<Batch, 'events'> & { events: EventReport[] };

/** A request that passed, and what the server said to it. */
export interface Passed {
  request: IncomingMessage;
  /** As it was sent. */
  body: Buffer;
  answer: Received;
  /** Whether the client was left without the answer. */
  isWithheld: boolean;
}

/** Stands between an app and the server. */
export interface RecordingProxy {
  origin: string;
  passed: readonly Passed[];
  /** From now on the server gets every request, and the client no answer; as when a connection breaks at the worst moment. */
  withhold: () => void;
  /** From now on the client gets answers again. */
  answer: () => void;
  close: () => Promise<void>;
}

export async function startRecordingProxy(server: string): Promise<RecordingProxy> {
  const passed: Passed[] = [];
  let isWithholding = false;
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { method = '', url: path = '' } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const answer = await exchange(server, { method, path, headers, body });
    passed.push({ request, body, answer, isWithheld: isWithholding });
    if (!isWithholding) response.writeHead(answer.status, answer.headers).end(answer.bytes);
  };
  const proxy = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    passed,
    withhold: () => (isWithholding = true),
    answer: () => (isWithholding = false),
    close: async () => {
      proxy.close();
      proxy.closeAllConnections();
      await once(proxy, 'close');
    },
  };
}

/** What a request says. */
export function batchOf({ body }: Passed): LibraryBatch {
  return JSON.parse((isZipped(body) ? gunzipSync(body) : body).toString());
}
