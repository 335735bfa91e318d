import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A single thing that the library does wrong. */
export type LibraryFault =
  'lends no book' | 'takes a cover without its file' | 'takes a caption of any length' | 'counts any number of years';

const json = (schema: object): object => ({ 'application/json': { schema } });
const problem = { description: 'What was wrong.', content: json({ type: 'object', required: ['message'] }) };
const problems = { 400: problem, 401: problem, 404: problem };
const id = { type: 'string', format: 'uuid' };
const at = (name: string): object[] => [{ name, in: 'path', required: true, schema: id }];
const text = (maxLength: number): object => ({ type: 'string', minLength: 1, maxLength });
const described = (required: string[], properties: object): object => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const answering = (status: number, schema: object): object => ({
  [status]: { description: 'Done.', content: json(schema) },
  ...problems,
});

export const TOKEN = 'reading-room';

/** The id of a book that is there from the beginning. */
export const BOOK = '7f0d3b9c-4a56-4c3e-9d0e-0a1b2c3d4e5f';

/** A contract in which lending needs a book, of which there is one copy each; a cover and a search that are forms. */
export const library = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1' },
  security: [{ reader: [] }],
  paths: {
    '/books': {
      post: {
        operationId: 'createBook',
        requestBody: { required: true, content: json(described(['title'], { title: text(60) })) },
        responses: answering(201, described(['id', 'title'], { id, title: text(60) })),
      },
    },
    '/books/{bookId}': {
      parameters: at('bookId'),
      get: { operationId: 'getBook', responses: answering(200, described(['id', 'title'], { id, title: text(60) })) },
      delete: { operationId: 'deleteBook', responses: { 204: { description: 'Gone.' }, ...problems } },
    },
    '/books/{bookId}/cover': {
      parameters: at('bookId'),
      put: {
        operationId: 'putCover',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: described(['file'], { file: { contentMediaType: 'image/png' }, caption: text(20) }),
            },
          },
        },
        responses: { 204: { description: 'Kept.' }, ...problems },
      },
    },
    '/loans': {
      post: {
        operationId: 'createLoan',
        requestBody: {
          required: true,
          content: json(described(['bookId'], { bookId: id, days: { type: 'integer', minimum: 1, maximum: 60 } })),
        },
        responses: { ...answering(201, described(['id', 'bookId'], { id, bookId: id })), 409: problem },
      },
    },
    '/loans/{loanId}': {
      parameters: at('loanId'),
      get: { operationId: 'getLoan', responses: answering(200, described(['id', 'bookId'], { id, bookId: id })) },
    },
    '/searches': {
      post: {
        operationId: 'search',
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: described(['kind'], {
                kind: { enum: ['fiction', 'science'] },
                years: { type: 'integer', minimum: 1, maximum: 9 },
              }),
            },
          },
        },
        responses: { 204: { description: 'Found.' }, ...problems },
      },
    },
  },
  components: { securitySchemes: { reader: { type: 'http', scheme: 'bearer' } } },
};

export interface LibraryServer {
  readonly origin: string;
  /** The user agents that have called. */
  readonly agents: ReadonlySet<string | undefined>;
  close(): void;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

interface Shelves {
  readonly books: Map<string, string>;
  readonly loans: Map<string, string>;
}

/** A server of {@link library} by hand, right but for its fault. */
export async function startLibraryServer(fault?: LibraryFault): Promise<LibraryServer> {
  const shelves: Shelves = { books: new Map([[BOOK, 'Dune']]), loans: new Map() };
  const agents = new Set<string | undefined>();
  const server = http.createServer(async (request, response) => {
    agents.add(request.headers['user-agent']);
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const { status, body } = await answer(shelves, request, Buffer.concat(chunks), fault);
    response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    agents,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const refuse = (status: number): Reply => ({ status, body: { message: 'No.' } });
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function answer(
  { books, loans }: Shelves,
  { method = '', url = '', headers }: http.IncomingMessage,
  body: Buffer,
  fault: LibraryFault | undefined,
): Promise<Reply> {
  const [, collection, one, part] = url.split('/');
  const route = [method, collection, one === undefined ? '' : '{}', part ?? ''].join(' ').trimEnd();
  const known = ['POST books', 'GET books {}', 'DELETE books {}', 'PUT books {} cover', 'POST loans', 'GET loans {}'];
  if (![...known, 'POST searches'].includes(route)) return refuse(405);
  if (headers.authorization !== `Bearer ${TOKEN}`) return refuse(401);
  if (one !== undefined && !UUID.test(one)) return refuse(400);
  const item = one ?? randomUUID();
  if (route === 'PUT books {} cover') {
    const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } })
      .formData()
      .catch(() => undefined);
    if (form === undefined || !isCover(form, fault)) return refuse(400);
    return books.has(item) ? { status: 204 } : refuse(404);
  }
  if (route === 'POST searches') return isSearch(headers, body, fault) ? { status: 204 } : refuse(400);
  if (method !== 'POST') {
    const found = (collection === 'books' ? books : loans).get(item);
    if (found === undefined) return refuse(404);
    if (method === 'DELETE') books.delete(item);
    const shown = collection === 'books' ? { title: found } : { bookId: found };
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: { id: item, ...shown } };
  }
  const sent = headers['content-type'] === 'application/json' ? parse(body) : {};
  const { title, bookId, days, ...others } = sent;
  if (Object.keys(others).length > 0) return refuse(400);
  if (collection === 'books') {
    if (typeof title !== 'string' || title === '' || [...title].length > 60 || 'bookId' in sent || 'days' in sent)
      return refuse(400);
    books.set(item, title);
    return { status: 201, body: { id: item, title } };
  }
  if (typeof bookId !== 'string' || !UUID.test(bookId) || 'title' in sent) return refuse(400);
  if ('days' in sent && !(Number.isInteger(days) && Number(days) >= 1 && Number(days) <= 60)) return refuse(400);
  if (!books.has(bookId) || fault === 'lends no book') return refuse(404);
  if ([...loans.values()].includes(bookId)) return refuse(409);
  loans.set(item, bookId);
  return { status: 201, body: { id: item, bookId } };
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

function isCover(form: FormData, fault: LibraryFault | undefined): boolean {
  const [files, captions] = [form.getAll('file'), form.getAll('caption')];
  if ([...form.keys()].some((name) => name !== 'file' && name !== 'caption')) return false;
  const [file] = files;
  const isFile = file instanceof File && file.type === 'image/png' && file.name === 'file.png';
  const hasFile = fault === 'takes a cover without its file' ? files.length <= 1 : files.length === 1 && isFile;
  const isShort = ([caption]: (File | string)[]): boolean =>
    caption === undefined ||
    (typeof caption === 'string' &&
      caption !== '' &&
      (fault === 'takes a caption of any length' || [...caption].length <= 20));
  return hasFile && captions.length <= 1 && isShort(captions);
}

function isSearch(headers: http.IncomingHttpHeaders, body: Buffer, fault: LibraryFault | undefined): boolean {
  if (headers['content-type'] !== 'application/x-www-form-urlencoded') return false;
  const form = new URLSearchParams(body.toString());
  const [kinds, years] = [form.getAll('kind'), form.getAll('years')];
  if (form.size > kinds.length + years.length || kinds.length !== 1 || years.length > 1) return false;
  const most = fault === 'counts any number of years' ? Infinity : 9;
  const [count = '1'] = years;
  return (
    ['fiction', 'science'].includes(kinds[0] ?? '') &&
    /^-?\d+$/.test(count) &&
    Number(count) >= 1 &&
    Number(count) <= most
  );
}
