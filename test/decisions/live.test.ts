// @module-tag both-engines
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import { type LiveStream, longEvents, nextBatch, watch } from '../support/event-stream.ts';
import { expectError } from '../support/expect-error.ts';
import { basic, type Credentials, startTestServer, type TestServer } from '../support/server.ts';

/** The rows of docs/decisions.md on live batches, over HTTP, under their names. */

let server: TestServer;
let opened: LiveStream[] = [];

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function open(query = '', headers: Record<string, string> = { authorization: basic(server.account) }) {
  const stream = await watch(server.origin, 'shop', headers, query);
  opened.push(stream);
  return stream;
}

afterEach(() => {
  for (const stream of opened) stream.close();
  opened = [];
});

async function send(events: unknown[], change: Parameters<typeof batchOf>[1] = {}, apiKey = server.apiKey) {
  const json = batchOf(events, change);
  const path = '/inspector/batches/v1';
  const answer = await server.call({ method: 'POST', path, as: null, headers: { 'api-key': apiKey }, json });
  expect(answer.status, answer.text).toBe(200);
  return json;
}

const named = (name: string) => send([eventReport(name, [])]);
const namesOf = async (stream: LiveStream) => (await nextBatch(stream)).events.map(({ eventName }) => eventName);

describe('Live batches', () => {
  it('show each batch with its receipt, and what was wrong with what was rejected', async () => {
    const stream = await open();
    const twice = eventReport('Viewed', []);
    const bad = { ...eventReport('Paid', []), price: 'secret-value' };
    const { batchId } = await send([twice, twice, bad, 7], {
      environment: 'dev',
      library: { name: 'inspector', version: '0.9', platform: 'android' },
    });
    const event = await stream.next();
    expect(event).toEqual({
      type: 'batch',
      batchId,
      receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      source: 'android-shop',
      environment: 'dev',
      appVersion: '1.4.0',
      library: { name: 'inspector', version: '0.9', platform: 'android' },
      events: [
        { eventName: 'Viewed', count: 2 },
        { eventName: 'Paid', count: 1 },
      ],
      otherEvents: 1,
      accepted: 1,
      duplicates: 1,
      rejected: 2,
      unknown: 0,
      rejections: [
        { index: 2, eventName: 'Paid', messageId: bad.messageId, reason: 'The item must not have the field "price".' },
        { index: 3, eventName: null, messageId: null, reason: 'The item must be an object.' },
      ],
    });
    expect(JSON.stringify(event)).not.toContain('secret-value');
  });

  it('are sent to nobody on the way, who would keep or gather them', async () => {
    const { headers } = await open();
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
  });

  it.each<[string, string[]]>([
    ['source=ios-shop', ['ios']],
    ['environment=dev', ['dev']],
    ['appVersion=2.0', ['version']],
    ['text=VERS', ['version']],
    ['withRejections=true', ['rejected']],
  ])('are filtered by %s', async (query, names) => {
    const { text: iosKey } = await server.administration.keys.create({
      workspaceId: 'shop',
      source: 'ios-shop',
      samplingRate: 1,
    });
    const stream = await open(`?${query}`);
    const everything = await open();
    await named('plain');
    await send([eventReport('ios', [])], {}, iosKey);
    await send([eventReport('dev', [])], { environment: 'dev' });
    await send([eventReport('version', [])], { app: { id: 'a', name: 'a', version: '2.0' } });
    await send([{ ...eventReport('rejected', []), unknown: 1 }]);
    for (let batches = 0; batches < 5; batches += 1) await nextBatch(everything);
    for (const name of names) expect(await namesOf(stream)).toEqual([name]);
  });

  it('go on after the last event that was read, for those who come back', async () => {
    const first = await open();
    await named('before');
    await nextBatch(first);
    const lastEventId = first.lastEventId();
    first.close();
    await named('meanwhile');
    const authorization = basic(server.account);
    const again = await open('', { authorization, 'last-event-id': lastEventId });
    expect(await again.next()).toMatchObject({ events: [{ eventName: 'meanwhile' }] });
  });

  it('are of the workspace alone, and for viewers and accounts that may read reports', async () => {
    await server.administration.workspaces.create('bank');
    const stream = await open('', { cookie: (await server.signIn('viewer')).cookie });
    const { text: bankKey } = await server.administration.keys.create({
      workspaceId: 'bank',
      source: 'bank',
      samplingRate: 1,
    });
    await send([eventReport('of the bank', [])], {}, bankKey);
    await named('of the shop');
    expect(await namesOf(stream)).toEqual(['of the shop']);
    const narrow = await server.createAccount(['branches:export']);
    expect((await open('', { authorization: basic(narrow) })).status).toBe(403);
    expect((await open('', { cookie: (await server.signIn('admin', 'bank')).cookie })).status).toBe(401);
  });
});

describe('Missing batches', () => {
  it('are said where what was read last is not known any more', async () => {
    const stream = await open('', { authorization: basic(server.account), 'last-event-id': 'of-another-server.7' });
    expect(await stream.next()).toEqual({ type: 'missed', batches: null });
  });

  it('are said where the id of what was read last has no number', async () => {
    const first = await open();
    await named('read');
    await nextBatch(first);
    const [instance = ''] = first.lastEventId().split('.');
    const headers = { authorization: basic(server.account), 'last-event-id': `${instance}.NaN` };
    expect(await (await open('', headers)).next()).toEqual({ type: 'missed', batches: null });
  });

  it('are counted where a reader does not keep up', async () => {
    const stream = await open();
    const sent = 1_000;
    for (let batches = 0; batches < sent; batches += 20) {
      await Promise.all(Array.from({ length: 20 }, () => send(longEvents())));
    }
    let seen = 0;
    let missed = 0;
    // The last may be among those that are only counted, so the sum tells when all has come.
    while (seen + missed < sent) {
      const event = await stream.next();
      if (event === undefined) throw new Error('The stream has ended.');
      if (event.type === 'missed') missed += event.batches ?? Number.NaN;
      else seen += 1;
    }
    expect(missed).toBeGreaterThan(0);
    expect(seen + missed).toBe(sent);
  });
});

describe('End of a stream', () => {
  const deleted = async (change: () => Promise<unknown>, headers: Record<string, string>) => {
    const stream = await open('', headers);
    expect(stream.status).toBe(200);
    await change();
    expect(await stream.ended()).toBe('whole');
    expect((await open('', headers)).status).toBe(401);
  };

  it('comes with that of the session', async () => {
    const { cookie } = await server.signIn('viewer');
    const path = '/workspaces/shop/sessions/current/v1';
    await deleted(() => server.call({ method: 'DELETE', path, as: null, headers: { cookie } }), { cookie });
  });

  it('comes with the removal of the person', async () => {
    const { cookie, userId } = await server.signIn('editor');
    const admin = { cookie: (await server.signIn('admin')).cookie };
    const path = `/workspaces/shop/users/${userId}/v1`;
    await deleted(() => server.call({ method: 'DELETE', path, as: null, headers: admin }), { cookie });
  });

  it('comes with the deletion of the account', async () => {
    const account: Credentials = await server.createAccount();
    const { accounts } = server.administration;
    await deleted(() => accounts.delete('shop', account.accountId), { authorization: basic(account) });
  });

  it('comes with that of the workspace', async () => {
    const { workspaces } = server.administration;
    await workspaces.create('short-lived');
    const { cookie } = await server.signIn('admin', 'short-lived');
    const stream = await watch(server.origin, 'short-lived', { cookie });
    await workspaces.delete('short-lived');
    expect(await stream.ended()).toBe('whole');
  });

  it('does not come while the database can not be asked', async () => {
    const stream = await open();
    const { accounts } = server.administration;
    const exists = accounts.exists.bind(accounts);
    const asked = Promise.withResolvers<void>();
    accounts.exists = async () => {
      asked.resolve();
      throw new Error('The disk went away (a fault of this test).');
    };
    await asked.promise;
    accounts.exists = exists;
    await named('still there');
    expect(await namesOf(stream)).toEqual(['still there']);
  });
});

describe('Open streams', () => {
  const path = '/workspaces/crowded/inspector/live/v1';
  let crowd: { authorization: string };
  beforeAll(async () => {
    await server.administration.workspaces.create('crowded');
    crowd = { authorization: basic(await server.createAccount(undefined, 'crowded')) };
  });
  const openAnother = async () => {
    const stream = await watch(server.origin, 'crowded', crowd);
    opened.push(stream);
    return stream;
  };

  it('leave nothing behind, and HEAD opens none', async () => {
    for (let times = 0; times < 25; times += 1) {
      expect((await server.call({ method: 'HEAD', path, as: null, headers: crowd })).status).toBe(200);
    }
    for (let times = 0; times < 25; times += 1) {
      await expect.poll(async () => (await openAnother()).status).toBe(200);
      opened.pop()?.close();
    }
  });

  it('are at most 20 of a workspace; one that is left makes room', async () => {
    for (let streams = 0; streams < 20; streams += 1) {
      await expect.poll(async () => (await openAnother()).status).toBe(200);
    }
    const refused = await server.call({ path, as: null, headers: crowd });
    expectError(refused, 429, /20 live streams open.*Close one of them/);
    expect(refused.headers['retry-after']).toBe('10');
    opened[0]?.close();
    await expect.poll(async () => (await openAnother()).status).toBe(200);
  });

  it('of a workspace that has most make room for one that has none, and lose nothing by it', async () => {
    const { workspaces } = server.administration;
    const streamsOf = async (workspaceId: string, count: number) => {
      await workspaces.create(workspaceId);
      const authorization = basic(await server.createAccount(undefined, workspaceId));
      const streams: LiveStream[] = [];
      while (streams.length < count) streams.push(await watch(server.origin, workspaceId, { authorization }));
      opened.push(...streams);
      expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
      return streams;
    };
    const [oldest] = await streamsOf('many-0', 20);
    for (let workspace = 1; workspace < 10; workspace += 1) await streamsOf(`many-${workspace}`, 20);
    await streamsOf('newcomer', 1);
    expect(await oldest?.ended()).toBe('whole');
  });

  it('take one place of a connection, however many it asks for without waiting for answers', async () => {
    const { hostname, port } = new URL(server.origin);
    const lines = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${crowd.authorization}\r\n\r\n`;
    const socket = connect(Number(port), hostname, () => socket.write(lines.repeat(25)));
    await once(socket, 'data');
    for (let streams = 0; streams < 19; streams += 1) {
      await expect.poll(async () => (await openAnother()).status).toBe(200);
    }
    expect((await openAnother()).status).toBe(429);
    socket.destroy();
  });

  it('are no part of what is stored', async () => {
    const { storage } = server.administration;
    if (storage.messages === undefined) return;
    await named('unwatched');
    const text = await ofTest(storage)
      .db.selectFrom('live_messages')
      .select('text')
      .where('workspace_id', '=', 'shop')
      .execute();
    expect(JSON.stringify(text)).not.toContain('unwatched');
  });
});
