import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import type { Target } from '../options.ts';

/** A request as the server saw it. */
export interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface TestServer {
  target: Target;
  seen: Seen[];
}

/** Those that still listen; closed after each test. */
export const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

export type Answer = (seen: Seen, response: http.ServerResponse) => void;

/** Listens on a free port and gives every request to `answer`. */
export async function serve(answer: Answer): Promise<TestServer> {
  const seen: Seen[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const one = {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    seen.push(one);
    answer(one, response);
  });
  servers.push(server);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    target: { baseUrl: `http://127.0.0.1:${port}`, credentials: { account: { name: 'ada', secret: 's3:cret' } } },
  };
}

/** 201 with the body that came. */
export const created: Answer = (seen, response) => {
  response.writeHead(201, { 'content-type': 'application/json' }).end(seen.body);
};

export function answering(status: number, body = '{}', headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}
