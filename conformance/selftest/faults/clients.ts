import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Call, type Reply, correct, readBody, toBytes } from '../service/behaviour.ts';
import { type Difference, type Fault } from '../fault.ts';

const ERRORS = ['invalid', 'conflict', 'unauthorized'] as const;
const isError = ({ kind }: Reply): boolean => ERRORS.some((one) => one === kind);

/** Changes replies to calls of one kind. */
const replies = (
  name: string,
  does: string,
  breaks: string,
  which: (reply: Reply, call: Call) => boolean,
  change: (reply: Reply) => Partial<Reply>,
): Fault => ({
  name: `clients-${name}`,
  does,
  breaks: [breaks],
  change: () => ({ reply: (reply, call) => (which(reply, call) ? { ...reply, ...change(reply) } : reply) }),
});

/** Exports with a validator, and answers 304 where it is sent back. */
export const revalidates = (write: (body: Buffer) => string): ReturnType<Difference['change']> => ({
  reply: (reply, { headers }) => {
    if (reply.kind !== 'exported') return reply;
    const etag = write(toBytes(reply.body));
    const isSame = headers['if-none-match'] === etag;
    return { ...reply, headers: { ...reply.headers, etag }, ...(isSame ? { status: 304, body: '' } : {}) };
  },
});

export const hashTag = (body: Buffer): string => `"${createHash('sha256').update(body).digest('base64url')}"`;

const takesGzip = (_: Reply, { headers }: Call): boolean => /gzip/.test(headers['accept-encoding'] ?? '');

/** What goes wrong for clients that do what HTTP lets them do. */
export const clients: readonly Fault[] = [
  {
    name: 'clients-first-part-of-body',
    does: 'takes what comes first of a body for the whole',
    breaks: ['BRANCH-CREATE-REQUEST-3', 'BRANCH-CREATE-201-3'],
    change: () => ({
      receive: async (request) => {
        const chunks: Buffer[] = await Array.fromAsync(request);
        return chunks[0] ?? Buffer.alloc(0);
      },
    }),
  },
  {
    name: 'clients-chunks-not-read',
    does: 'reads no body without a length',
    breaks: ['BRANCH-CREATE-REQUEST-3', 'BRANCH-CREATE-201-3'],
    change: () => ({
      receive: async (request) => {
        const body = await readBody(request);
        return request.headers['content-length'] === undefined ? Buffer.alloc(0) : body;
      },
    }),
  },
  replies(
    'errors-as-pages',
    'shows errors to browsers as pages',
    'ERROR-BODY-1',
    (reply, { headers }) => isError(reply) && /html/.test(headers.accept ?? ''),
    () => ({ headers: { 'content-type': 'text/html' }, body: '<h1>That did not work</h1>' }),
  ),
  replies(
    'errors-translated',
    'translates errors',
    'BRANCH-CREATE-401-3',
    (reply, { headers }) => isError(reply) && headers['accept-language']?.startsWith('fr') === true,
    () => ({ body: { error: 'Non autorisé' } }),
  ),
  ...(['created', 'exported'] as const).map((kind) =>
    replies(
      `${kind}-packed-unsaid`,
      'packs bodies without saying so',
      kind === 'created' ? 'BRANCH-CREATE-201-2' : 'EXPORT-SUCCESS-1',
      (reply, call) => reply.kind === kind && takesGzip(reply, call),
      ({ body }) => ({ body: gzipSync(toBytes(body)) }),
    ),
  ),
  {
    name: 'clients-same-tag-for-ever',
    does: 'says that an export has not changed, whatever it shows',
    breaks: ['EXPORT-ROWS-1'],
    change: () => revalidates(() => '"v1"'),
  },
  {
    name: 'clients-not-modified-since',
    does: 'answers 304 to whoever says when the last export was',
    breaks: ['EXPORT-ROWS-1'],
    change: () => ({
      reply: (reply, { headers }) => {
        if (reply.kind !== 'exported') return reply;
        if (headers['if-modified-since'] !== undefined) return { ...reply, status: 304, body: '' };
        return { ...reply, headers: { ...reply.headers, 'last-modified': new Date().toUTCString() } };
      },
    }),
  },
  {
    name: 'clients-idle-connection-fails',
    does: 'fails on a connection that was idle for longer than a second and a half',
    breaks: ['BRANCH-CREATE-201-1'],
    change: () => {
      const last = new WeakMap<object, number>();
      return {
        deliver: (reply, response, call) => {
          const idleMs = Date.now() - (last.get(call.connection) ?? Date.now());
          last.set(call.connection, Date.now());
          correct.deliver(idleMs > 1_500 ? { ...reply, status: 500, body: '' } : reply, response, call);
        },
      };
    },
  },
];
