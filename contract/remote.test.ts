import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { loadContract } from './load.ts';
import { readRemote } from './remote.ts';
import { head, ok } from './testing/spec.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** The origin of a server that answers like this. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** One that has these documents, by their paths; what begins with `->` redirects. */
function serveDocuments(documents: Record<string, string>): Promise<string> {
  return serve(({ url = '' }, response) => {
    const text = documents[url];
    if (text === undefined) response.writeHead(404).end();
    else if (text.startsWith('->')) response.writeHead(302, { location: text.slice(2) }).end();
    else response.end(text);
  });
}

const path = `paths:\n  /a:\n    get: { ${ok} }\n`;
const withSchema = (reference: string): string =>
  `${head}${path}components:\n  schemas:\n    A: { $ref: '${reference}' }\n`;

test('a contract is read from the web, with what it refers to on the same server', async () => {
  const origin = await serveDocuments({
    '/apis/v1/openapi.yaml': withSchema('../shared/types.yaml#/B'),
    '/apis/shared/types.yaml': "B: { $ref: '#/C' }\nC: { type: text }\n",
  });
  const { source, operations, warnings } = await loadContract(`${origin}/apis/v1/openapi.yaml`);
  expect({ source, operations: operations.length }).toEqual({ source: 'openapi.yaml', operations: 1 });
  expect(warnings).toMatchObject([{ position: { file: `${origin}/apis/shared/types.yaml`, line: 2, column: 6 } }]);
});

test('what it refers to elsewhere is not asked for', async () => {
  const asked: string[] = [];
  const other = await serve(({ url }, response) => {
    asked.push(String(url));
    response.end('type: string');
  });
  const origin = await serveDocuments({
    '/a.yaml': withSchema(`${other}/b.yaml`),
    '/c.yaml': withSchema('d.yaml'),
    '/d.yaml': `->${other}/d.yaml`,
  });
  await expect(loadContract(`${origin}/a.yaml`)).rejects.toThrow(
    `${origin}/a.yaml:8:10  "${other}/b.yaml" leads to another document`,
  );
  await expect(loadContract(`${origin}/c.yaml`)).rejects.toThrow('"d.yaml" leads to a file that can not be read');
  expect(asked).toEqual([]);
});

test('a file does not have the web asked', async () => {
  const origin = await serveDocuments({ '/b.yaml': 'type: string' });
  const folder = await mkdtemp(join(tmpdir(), 'branchline-remote-'));
  try {
    await writeFile(join(folder, 'openapi.yaml'), withSchema(`${origin}/b.yaml`));
    await expect(loadContract(join(folder, 'openapi.yaml'))).rejects.toThrow('leads to another document');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a redirect is followed, and what is in the document is relative to where it leads', async () => {
  const origin = await serveDocuments({
    '/latest': '->/v2/openapi.yaml',
    '/v2/openapi.yaml': withSchema('types.yaml'),
    '/v2/types.yaml': 'type: string',
  });
  expect((await loadContract(`${origin}/latest`)).operations).toHaveLength(1);
});

test('what is not there is refused in a sentence', async () => {
  const origin = await serveDocuments({ '/round': '->/round', '/down': '->ftp://127.0.0.1/x' });
  await expect(loadContract(`${origin}/none.yaml`)).rejects.toThrow(
    `${origin}/none.yaml:1:1  The server answered 404.`,
  );
  await expect(loadContract(`${origin}/round`)).rejects.toThrow('It is redirected more than 5 times.');
  await expect(loadContract(`${origin}/down`)).rejects.toThrow('which is not HTTPS');
  await expect(loadContract('http://127.0.0.1:1/a.yaml')).rejects.toThrow(
    "The server can't be reached, or gives no whole answer (bad port)",
  );
});

test('what is too large, or never ends, is refused', async () => {
  const large = await serve((_request, response) => response.end('x'.repeat(1_001)));
  const slow = await serve((_request, response) => void response.write('x'));
  const read = (url: string, limits: { bytes: number; seconds: number }) =>
    readRemote(url, { elsewhere: true, limits });
  await expect(read(large, { bytes: 1_000, seconds: 60 })).rejects.toThrow('It has more than 1000 bytes.');
  await expect(read(large, { bytes: 1_001, seconds: 60 })).resolves.toMatchObject({ url: `${large}/` });
  await expect(read(slow, { bytes: 1_000, seconds: 0.05 })).rejects.toThrow('The server took more than 0.05 seconds.');
});
