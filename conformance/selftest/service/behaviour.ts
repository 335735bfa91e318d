import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { columns, writeRow, toCsv } from './csv.ts';
import { isValidName, suggestion } from './names.ts';
import { type Account, type Branch, type World, isOpen, newId } from './world.ts';

/** One request for one of the two operations. */
export interface Call {
  operation: 'create' | 'export';
  workspaceId: string;
  /** With the query, as it was sent. */
  url: string;
  headers: IncomingHttpHeaders;
  /** Names and values in turns, as they were sent. */
  rawHeaders: readonly string[];
  body: Buffer;
  world: World;
  /** The connection over which it came. */
  connection: object;
}

export interface Route {
  method: string;
  operation: Call['operation'];
}

export type Kind = 'limited' | 'created' | 'invalid' | 'conflict' | 'unauthorized' | 'foreign' | 'exported';

export interface Reply {
  kind: Kind;
  status: number;
  headers: Record<string, string>;
  /** An object is sent as JSON. */
  body: Record<string, unknown> | string | Buffer;
}

/** Everything about the service that a fault or a lawful variant may change, in the order in which a request meets it. */
export interface Behaviour {
  /** By the path within a workspace. */
  routes: Readonly<Record<string, Route>>;
  /** Reads the body of a request. */
  receive(request: IncomingMessage): Promise<Buffer>;
  /** The answer to a call that comes too fast, before anything else is done. */
  limit(call: Call): Reply | undefined;
  /** The account of a valid `authorization` header. */
  accountOf(call: Call): Account | undefined;
  mayUse(account: Account, workspaceId: string): boolean;
  /** The name that a body asks for; `undefined` where the body is malformed. */
  nameIn(body: Buffer): string | undefined;
  isValidName(name: string): boolean;
  suggest(asked: string, call: Call): string;
  /** The branches for which a name can't be had. */
  rivals(name: string, call: Call): Branch[];
  /** Makes the branch and keeps it; `undefined` where the name is held. */
  create(name: string, account: Account, call: Call, behaviour: Behaviour): Promise<Branch | undefined>;
  newBranch(name: string, account: Account): Branch;
  urlOf(branch: Branch, workspaceId: string): string;
  /** Which branches the export shows. */
  exported(call: Call): Branch[];
  columns: readonly string[];
  row(branch: Branch): string[];
  csv(rows: readonly (readonly string[])[]): string;
  /** Has the last word on every reply. */
  reply(reply: Reply, call: Call, behaviour: Behaviour): Reply;
  /** Puts a reply on the wire. */
  deliver(reply: Reply, response: ServerResponse, call: Call): void;
}

/** What the documents say, and choices of its own where they are silent. */
export const correct: Behaviour = {
  routes: {
    '/branches/v1': { method: 'POST', operation: 'create' },
    '/branches/export/v1': { method: 'GET', operation: 'export' },
  },
  receive: readBody,
  limit: () => undefined,
  accountOf: ({ headers, world }) => {
    const credentials = basicCredentials(headers.authorization);
    return world.accounts.find(({ name, secret }) => `${name}:${secret}` === credentials);
  },
  mayUse: (account, workspaceId) => account.workspaceId === workspaceId,
  nameIn: (body) => {
    try {
      const { name }: { name?: unknown } = Object(JSON.parse(body.toString('utf8')));
      return typeof name === 'string' ? name : undefined;
    } catch {
      return undefined;
    }
  },
  isValidName,
  suggest: (asked, call) => suggestion(asked, (name) => openNamed(name, listBranches(call)).length > 0),
  rivals: (name, call) => openNamed(name, listBranches(call)),
  create: async (name, account, call, behaviour) => {
    if (behaviour.rivals(name, call).length > 0) return undefined;
    return kept(behaviour.newBranch(name, account), call);
  },
  newBranch: (name, { userId, email }) => ({
    id: newId(),
    name,
    creatorId: userId,
    creatorEmail: email,
    createdAt: new Date(),
    status: 'Draft',
    collaborators: [],
    marked: [],
  }),
  urlOf: ({ id }, workspaceId) => `https://plans.example/schemas/${encodeURIComponent(workspaceId)}/branches/${id}`,
  exported: listBranches,
  columns,
  row: (branch) => writeRow(branch),
  csv: toCsv,
  reply: (reply) => reply,
  deliver: ({ status, headers, body }, response) => {
    const payload = toBytes(body);
    response.writeHead(status, { ...headers, 'content-length': String(payload.length) }).end(payload);
  },
};

/** All of it. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = await Array.fromAsync(request);
  return Buffer.concat(chunks);
}

export function listBranches({ world, workspaceId }: Pick<Call, 'world' | 'workspaceId'>): Branch[] {
  return world.workspaces.get(workspaceId) ?? [];
}

/** Adds a branch to the workspace of a call. */
export function kept(branch: Branch, call: Call): Branch {
  listBranches(call).push(branch);
  return branch;
}

export function toBytes(body: Reply['body']): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}

/** `name:secret` of a Basic `authorization` header (RFC 7617). */
export function basicCredentials(header: string | undefined): string | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

function openNamed(wanted: string, branches: readonly Branch[]): Branch[] {
  return branches.filter((branch) => isOpen(branch) && branch.name === wanted);
}
