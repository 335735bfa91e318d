import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnyRequest, appWith } from '../../../../test/support/application.ts';
import { generateServer, importWiring, temporaryFolder } from '../../../testing/generated-server.ts';
import type { Exchange } from '../../client/templates/outgoing/callback-url.ts';
import type { OutgoingMessage } from '../../client/templates/outgoing/delivery.ts';
import type { SendError } from '../../client/templates/outgoing/send-error.ts';

const spec = fileURLToPath(new URL('testing/streams.yaml', import.meta.url));
const folder = temporaryFolder();

/** A generated `senders.ts`, without the types that its contract gives it. */
interface Senders {
  createSenders(options?: object): Record<string, (url: string, request?: object, options?: object) => Promise<Answer>>;
  callbackUrls: Record<string, (exchange: Exchange) => string>;
  AnswerError: new (...parameters: never[]) => Error;
}

interface Answer {
  status: number;
  type?: string;
  body: unknown;
}

interface Sent {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

let generated: Senders;
let server: Server;
let port: number;
/** How the receiver answers the next request. */
let answer: RequestListener;
const received: Sent[] = [];

beforeAll(async () => {
  const { path } = await folder;
  await generateServer(spec, path);
  generated = (await import(join(path, 'server/generated/senders.ts'))) as Senders;
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body });
      answer(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await (await folder)[Symbol.asyncDispose]();
});

const permit = () => true;

function answers(status: number, headers: Record<string, string> = {}, body = ''): void {
  answer = (_request, response) => response.writeHead(status, headers).end(body);
}

/** Sends a reading, which nothing is documented of but its body. */
function send(options: object = {}, url = `http://127.0.0.1:${port}/hook`, init?: object): Promise<Answer> {
  const senders = generated.createSenders({ permit, ...options });
  return senders['openStreamOnReading']?.(url, { body: { value: 7 } }, init) ?? expect.fail('There is no such sender.');
}

function sendChange(request: object, options: object = {}, url = `http://127.0.0.1:${port}/{receiver}?key=1`) {
  const senders = generated.createSenders({ permit, ...options });
  const whole = { params: { receiver: 'a/b' }, headers: { 'X-Attempt': 1 }, ...request };
  return senders['streamChanged']?.(url, whole) ?? expect.fail('There is no such sender.');
}

async function expectSendError(promise: Promise<Answer>): Promise<SendError> {
  const error: unknown = await promise.then(
    ({ status }: Answer) => expect.fail(`It was answered ${status}.`),
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'SendError' });
  return error as SendError;
}

describe('a request', () => {
  test('is what the contract says of it, at the URL that it is sent to', async () => {
    answers(200, { 'content-type': 'application/json' }, '{"seen":true}');
    const got = await sendChange({ query: { tag: ['x', 'y&z'] }, body: { topic: 't', secret: 's' } });
    expect(got).toMatchObject({ status: 200, type: 'application/json', body: { seen: true } });
    expect(received.at(-1)).toMatchObject({
      method: 'POST',
      url: '/a%2Fb?key=1&tag=x&tag=y%26z',
      headers: {
        'x-attempt': '1',
        accept: 'application/json, text/plain',
        'content-type': 'application/json',
        'content-length': '26',
        host: `127.0.0.1:${port}`,
      },
      body: '{"topic":"t","secret":"s"}',
    });
  });

  test('may be a form, or a form with files', async () => {
    answers(200, { 'content-type': 'application/json' }, '{"seen":true}');
    await sendChange({ type: 'application/x-www-form-urlencoded', body: { id: 'a&b' } });
    expect(received.at(-1)).toMatchObject({ body: 'id=a%26b' });
    answers(202);
    const senders = generated.createSenders({ permit });
    await senders['photoTaken']?.(`http://127.0.0.1:${port}/`, { body: { photo: new Blob(['PNG']), at: 'now' } });
    expect(received.at(-1)?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(received.at(-1)?.body).toMatch(/name="photo"[^]*PNG[^]*name="at"[^]*now/);
  });

  test('may have no body', async () => {
    answers(204);
    await generated.createSenders({ permit })['streamEnded']?.(`http://127.0.0.1:${port}/end/`);
    expect(received.at(-1)).toMatchObject({ method: 'POST', url: '/end/', body: '' });
    expect(received.at(-1)?.headers['content-type']).toBeUndefined();
  });

  test('needs a place for each path parameter, and a value', async () => {
    const error = await expectSendError(sendChange({ body: {} }, {}, `http://127.0.0.1:${port}/`));
    expect(error.message).toBe('The URL has no {receiver}, where the path parameter "receiver" would stand.');
    await expect(sendChange({ params: {}, body: {} })).rejects.toThrow('The path parameter "receiver" is missing.');
  });

  test('is authenticated where the contract says so, with what is given', async () => {
    answers(200, { 'content-type': 'application/json' }, '{"seen":true}');
    const auth = { service: () => 'secret' };
    await sendChange({ body: {} });
    expect(received.at(-1)?.headers.authorization).toBeUndefined();
    await sendChange({ body: {} }, { auth });
    expect(received.at(-1)?.headers.authorization).toBe('Bearer secret');
    answers(204);
    await send({ auth });
    expect(received.at(-1)?.headers.authorization).toBeUndefined();
  });

  test('can be signed before it is sent', async () => {
    answers(204);
    const beforeSend = async ({ method, url, headers, body }: OutgoingMessage) => {
      headers.set('x-signed', `${method} ${url} ${Buffer.from(body).toString()}`);
    };
    await send({ beforeSend }, undefined, { headers: { 'x-more': 'y' } });
    expect(received.at(-1)?.headers).toMatchObject({
      'x-signed': `POST http://127.0.0.1:${port}/hook {"value":7}`,
      'x-more': 'y',
    });
    const failing = () => Promise.reject(new Error('There is no key.'));
    await expect(send({ beforeSend: failing })).rejects.toThrow('There is no key.');
  });
});

describe('an answer', () => {
  test('is one that the contract documents, or an error', async () => {
    answers(410, { 'content-type': 'application/json' }, '{"error":"enough"}');
    expect(await send()).toMatchObject({ status: 410, body: { error: 'enough' } });
    answers(500);
    await expect(send()).rejects.toThrow('openStreamOnReading was answered 500, which the contract does not document.');
    await expect(send()).rejects.toBeInstanceOf(generated.AnswerError);
  });

  test('that leads elsewhere is not followed', async () => {
    const before = received.length;
    answers(302, { location: `http://127.0.0.1:${port}/elsewhere` });
    await expect(send()).rejects.toThrow('was answered 302');
    expect(await sendChange({ body: {} })).toMatchObject({ status: 302 });
    expect(received.slice(before).map(({ url }) => url)).toEqual(['/hook', '/a%2Fb?key=1']);
  });

  test('is taken up to a size', async () => {
    answers(410, { 'content-type': 'application/json' }, JSON.stringify({ error: 'x'.repeat(100) }));
    expect(await send({ maxReplyBytes: 112 })).toMatchObject({ status: 410 });
    const error = await expectSendError(send({ maxReplyBytes: 111 }));
    expect(error).toMatchObject({ kind: 'too-large', message: `127.0.0.1:${port} answered with more than 111 bytes.` });
    answer = (_request, response) => {
      response.writeHead(410);
      const write = () => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', write);
      write();
    };
    expect(await expectSendError(send())).toMatchObject({ kind: 'too-large' });
  });

  test('that does not come, or does not end, is not waited for', async () => {
    answer = () => {};
    const error = await expectSendError(send({ timeout: 50 }));
    expect(error).toMatchObject({ kind: 'timeout', message: `127.0.0.1:${port} did not answer within 50 ms.` });
    answer = (_request, response) => response.writeHead(410).write('{');
    expect(await expectSendError(send({ timeout: 50 }))).toMatchObject({ kind: 'timeout' });
  });

  test('that changes to another protocol is none', async () => {
    answer = (_request, response) => response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end();
    expect(await expectSendError(send())).toMatchObject({
      kind: 'failed',
      message: `127.0.0.1:${port} has not answered: it changes to another protocol.`,
    });
  });

  test('is not waited for once the caller says so', async () => {
    const controller = new AbortController();
    const reason = new Error('The service stops.');
    answer = () => controller.abort(reason);
    await expect(send({}, undefined, { signal: controller.signal })).rejects.toBe(reason);
    await expect(send({}, undefined, { signal: controller.signal })).rejects.toBe(reason);
  });

  test('that breaks off is an error', async () => {
    answer = (request) => request.socket.destroy();
    expect(await expectSendError(send())).toMatchObject({
      kind: 'failed',
      message: `127.0.0.1:${port} has not answered: socket hang up.`,
    });
    answer = (request, response) => {
      response.writeHead(410, { 'content-length': '100' }).write('{', () => request.socket.destroy());
    };
    expect(await expectSendError(send())).toMatchObject({ kind: 'failed' });
  });
});

describe('where nothing is sent', () => {
  test.each([
    ['http://127.0.0.1:{port}/', '127.0.0.1: '],
    ['http://2130706433:{port}/', '127.0.0.1: '],
    ['http://0x7f.1:{port}/', '127.0.0.1: '],
    ['http://localhost:{port}/', /^Nothing is sent to localhost, which is (?:127\.0\.0\.1|::1): /],
    ['http://[::1]:{port}/', '::1: '],
    ['http://[::ffff:127.0.0.1]:{port}/', '::ffff:7f00:1: '],
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254: '],
    ['https://10.0.0.1/', '10.0.0.1: '],
  ])('%s', async (url, where) => {
    const before = received.length;
    const error = await expectSendError(send({ permit: undefined }, url.replace('{port}', String(port))));
    expect(error.kind).toBe('refused');
    expect(error.message).toMatch(where);
    expect(error.message).toContain('this is not a public address. The option "permit" can permit it.');
    expect(received.length).toBe(before);
  });

  test.each([
    ['ftp://a.example/', 'The URL must be absolute, and begin with http:// or https://.'],
    ['file:///etc/passwd', 'The URL must be absolute, and begin with http:// or https://.'],
    ['/hook', 'The URL must be absolute, and begin with http:// or https://.'],
    ['http://me:secret@a.example/', 'The URL of a.example holds a name or a password; leave them out.'],
  ])('%s', async (url, message) => {
    expect(await expectSendError(send({}, url))).toMatchObject({ kind: 'refused', message });
  });

  test('unless it is permitted, address by address', async () => {
    answers(204);
    const asked: unknown[] = [];
    const mine = (destination: { host: string }) => {
      asked.push(destination);
      return destination.host === '127.0.0.1';
    };
    expect(await send({ permit: mine })).toMatchObject({ status: 204 });
    expect(asked).toEqual([{ host: '127.0.0.1', port, address: '127.0.0.1' }]);
    const before = received.length;
    const error = await expectSendError(send({ permit: mine }, `http://localhost:${port}/`));
    expect(error.kind).toBe('refused');
    expect(asked.at(-1)).toMatchObject({ host: 'localhost', port, address: expect.stringMatching(/^127\.|^::1$/) });
    expect(received.length).toBe(before);
    expect(await send({ permit }, `http://localhost:${port}/`)).toMatchObject({ status: 204 });
    const failing = () => {
      throw new Error('There is no list.');
    };
    expect(await expectSendError(send({ permit: failing }, `http://localhost:${port}/`))).toMatchObject({
      kind: 'failed',
      message: `localhost:${port} has not answered: There is no list.`,
    });
  });
});

test('over TLS, a receiver has to be who it says', async () => {
  const altNames = [{ type: 2 as const, value: 'localhost' }];
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  const receiver = createTlsServer({ key: pems.private, cert: pems.cert }, (_request, response) => {
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `https://localhost:${(receiver.address() as AddressInfo).port}/`;
  const trusted = getCACertificates('default');
  try {
    expect(await expectSendError(send({}, url))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('self-signed certificate'),
    });
    setDefaultCACertificates([...trusted, pems.cert]);
    expect(await send({}, url)).toMatchObject({ status: 204 });
    expect(await expectSendError(send({}, url.replace('localhost', '127.0.0.1')))).toMatchObject({ kind: 'failed' });
  } finally {
    setDefaultCACertificates(trusted);
    receiver.close();
  }
});

test('a handler sends the callback that its request asks for', async () => {
  answers(204);
  const { path } = await folder;
  const { contract } = await importWiring(path);
  const senders = generated.createSenders({ permit });
  const openStream = async (request: AnyRequest) => {
    const reply = { status: 201, body: { id: 'a/1', topic: 't' } };
    const url = generated.callbackUrls['openStreamOnReading']?.({ request, reply }) ?? '';
    await senders['openStreamOnReading']?.(url, { body: { value: 7 } });
    return reply;
  };
  const app = await appWith(contract, { handlers: { openStream }, securityHandlers: { service: () => 'any' } });
  try {
    const payload = { callbackUrl: `http://127.0.0.1:${port}/readings` };
    const reply = await app.inject({ method: 'POST', url: '/streams/a%20b', payload });
    expect(reply.statusCode).toBe(201);
    expect(received.at(-1)).toMatchObject({ url: '/readings?stream=a%2F1&room=a%20b', body: '{"value":7}' });
  } finally {
    await app.close();
  }
});
