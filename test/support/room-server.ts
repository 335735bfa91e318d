import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A single thing that the room server does wrong, which no single request made of the contract's edges shows. */
export type RoomFault =
  | 'forgets what was created'
  | 'keeps what was deleted'
  | 'ignores changes'
  | 'shows another room'
  | 'crashes at an emoji'
  | 'crashes at an apostrophe in a path'
  | 'crashes at a large number'
  | 'takes a fraction of a page';

const error = { $ref: '#/components/responses/Error' };
const room = { $ref: '#/components/schemas/Room' };
const json = (schema: object): object => ({ 'application/json': { schema } });
const shown = { description: 'The room.', content: json({ allOf: [room, { required: ['id'] }] }) };
const sent = { required: true, content: json(room) };
const errors = { 400: error, 401: error, 404: error, 415: error };

export const KEY = 'key-of-the-house';

/** A contract with no example: all that a test knows of its rooms, it has from answers. */
export const rooms = {
  openapi: '3.0.3',
  info: { title: 'Rooms', version: '1' },
  security: [{ house_key: [] }],
  paths: {
    '/rooms': {
      get: {
        operationId: 'listRooms',
        parameters: [
          { name: 'q', in: 'query', schema: { type: 'string' } },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ],
        responses: { 200: { description: 'Rooms.', content: json({ type: 'array', items: room }) }, ...errors },
      },
      post: { operationId: 'createRoom', requestBody: sent, responses: { 201: shown, ...errors } },
    },
    '/rooms/{roomId}': {
      parameters: [{ name: 'roomId', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'readRoom', responses: { 200: shown, ...errors } },
      put: { operationId: 'changeRoom', requestBody: sent, responses: { 200: shown, ...errors } },
      delete: { operationId: 'deleteRoom', responses: { 204: { description: 'Gone.' }, ...errors } },
    },
  },
  components: {
    securitySchemes: { house_key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    responses: {
      Error: {
        description: 'What was wrong.',
        content: json({ type: 'object', required: ['message'], properties: { message: { type: 'string' } } }),
      },
    },
    schemas: {
      Room: {
        type: 'object',
        required: ['name'],
        properties: { id: { type: 'string', readOnly: true }, name: { type: 'string', minLength: 1, maxLength: 40 } },
      },
    },
  },
};

export interface RoomServer {
  readonly origin: string;
  close(): void;
}

/** A server of {@link rooms} by hand, right but for its fault. */
export async function startRoomServer(fault?: RoomFault): Promise<RoomServer> {
  const kept = new Map<string, string>();
  const server = http.createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const url = new URL(request.url ?? '/', 'http://rooms');
    const { status, body } = answer(kept, { request, url, body: Buffer.concat(chunks).toString() }, fault);
    response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Incoming {
  readonly request: http.IncomingMessage;
  readonly url: URL;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

const refuse = (status: number): Answer => ({ status, body: { message: 'No.' } });

function answer(kept: Map<string, string>, { request, url, body }: Incoming, fault: RoomFault | undefined): Answer {
  const { method = '' } = request;
  const [, collection, id] = url.pathname.split('/').map(decodeURIComponent);
  if (collection !== 'rooms') return refuse(404);
  if (!(id === undefined ? ['GET', 'POST'] : ['GET', 'PUT', 'DELETE']).includes(method)) return refuse(405);
  if (request.headers['x-key'] !== KEY) return refuse(401);
  if (fault === 'crashes at an apostrophe in a path' && id?.includes("'") === true) return refuse(500);
  if (id !== undefined && !kept.has(id)) return refuse(404);
  if (method === 'GET') return id === undefined ? list(kept, url, fault) : show(kept, id, fault);
  if (method === 'DELETE') {
    if (fault !== 'keeps what was deleted') kept.delete(id ?? '');
    return { status: 204 };
  }
  if (request.headers['content-type'] !== 'application/json') return refuse(body === '' ? 400 : 415);
  const name = readName(body);
  if (name === undefined) return refuse(400);
  const made = id ?? `room-${randomUUID()}`;
  if (id === undefined ? fault !== 'forgets what was created' : fault !== 'ignores changes') kept.set(made, name);
  return { status: id === undefined ? 201 : 200, body: { id: made, name } };
}

function show(kept: ReadonlyMap<string, string>, id: string, fault: RoomFault | undefined): Answer {
  const [first = id] = kept.keys();
  const shownId = fault === 'shows another room' ? `${first}-other` : id;
  return { status: 200, body: { id: shownId, name: kept.get(id) } };
}

function list(kept: ReadonlyMap<string, string>, { searchParams }: URL, fault: RoomFault | undefined): Answer {
  const [text, page] = [searchParams.get('q') ?? '', searchParams.get('page') ?? '1'];
  if (fault === 'crashes at an emoji' && /\p{Emoji_Presentation}/u.test(text)) return refuse(500);
  if (fault === 'crashes at a large number' && Math.abs(Number(page)) > 2 ** 31) return refuse(500);
  const isFraction = fault === 'takes a fraction of a page' && /^\d+\.\d+$/.test(page);
  if (!/^-?\d+$/.test(page) && !isFraction) return refuse(400);
  return { status: 200, body: [...kept].map(([id, name]) => ({ id, name })) };
}

function readName(body: string): string | undefined {
  try {
    const { name }: { name?: unknown } = Object(JSON.parse(body));
    return typeof name === 'string' && name !== '' && [...name].length <= 40 ? name : undefined;
  } catch {
    return undefined;
  }
}
