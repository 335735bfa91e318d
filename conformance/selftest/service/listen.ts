import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from './answer.ts';
import { type Behaviour, type Call, correct, readBody } from './behaviour.ts';
import { seedFrom } from './seeding.ts';
import { type Account, type World, newWorld } from './world.ts';

/** A service that listens on loopback. */
export interface Service {
  origin: string;
  /** Each workspace's accounts, in order. */
  accounts: readonly Account[];
  world: World;
  /** How many requests came, seeding apart. */
  requests: () => number;
  close: () => Promise<void>;
}

export interface ServiceOptions {
  /** What is not as in the correct service. */
  change?: Partial<Behaviour>;
  world?: World;
  /** Defaults to a free one. */
  port?: number;
}

const SEEDING = '/seed';

export async function listen({ change = {}, world = newWorld(), port = 0 }: ServiceOptions = {}): Promise<Service> {
  const behaviour = { ...correct, ...change };
  let count = 0;
  const server = http.createServer((request, response) => {
    const seeding = request.url === SEEDING;
    if (!seeding) count += 1;
    const served = seeding ? seedOverHttp(request, response, world) : serve(request, response, world, behaviour);
    // A client that gives up within its request leaves nothing to answer.
    served.catch(() => response.destroy());
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise;
  const { port: taken } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${taken}`,
    accounts: world.accounts,
    world,
    requests: () => count,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  world: World,
  behaviour: Behaviour,
): Promise<void> {
  const body = await behaviour.receive(request);
  const [path = ''] = (request.url ?? '').split('?');
  const [, workspace = '', rest = ''] = /^\/workspaces\/([^/]+)(\/.*)$/.exec(path) ?? [];
  const found = Object.hasOwn(behaviour.routes, rest) ? behaviour.routes[rest] : undefined;
  if (found === undefined) return refuse(response, 404);
  if (found.method !== request.method) return refuse(response.setHeader('allow', found.method), 405);
  const { headers, rawHeaders } = request;
  const call: Call = {
    operation: found.operation,
    workspaceId: decode(workspace),
    url: request.url ?? '',
    headers,
    rawHeaders,
    body,
    world,
    connection: request.socket,
  };
  try {
    behaviour.deliver(await answer(call, behaviour), response, call);
  } catch {
    refuse(response, 500);
  }
}

function refuse(response: http.ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end(`<h1>${http.STATUS_CODES[status]}</h1>`);
}

async function seedOverHttp(request: http.IncomingMessage, response: http.ServerResponse, world: World): Promise<void> {
  const problem = seedFrom((await readBody(request)).toString('utf8'), world);
  response.writeHead(problem === undefined ? 204 : 400).end(problem);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
