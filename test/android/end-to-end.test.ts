import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/generated/types.ts';
import type { EventReport } from '../support/batch.ts';
import { branchline, type ServerProcess, startProcess } from '../support/command-line.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { exchange } from '../support/exchange.ts';
import { isZipped, marksIn } from './marks.ts';
import { batchOf, type LibraryBatch, type Passed } from './recording-proxy.ts';
import { countsOf, observedCounts, stepsOf } from './shop-events.ts';
import { missingShop, type PlatformName } from './shop-process.ts';
import { filesIn, type Visit, visitShop } from './shop-visit.ts';

/** The whole way: a shop on a plain JVM and one on Android, killed and started again, the library in them, and the server. */

type Receipt = components['schemas']['BatchReceipt'];

const PLATFORMS: PlatformName[] = ['jvm', 'android'];
const ENVIRONMENTS: Readonly<Record<PlatformName, string>> = { jvm: 'prod', android: 'dev' };

describeUnless(missingShop(), 'a shop', () => {
  let folder: string;
  let database: string;
  let server: ServerProcess;
  let authorization: string;
  let keys: string[];
  const visits: Visit[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'branchline-shop-'));
    database = join(folder, 'data', 'branchline.db');
    await administer('workspace', 'create', 'shop');
    const owner = ['--name', 'test', '--email', 'test@example.com'];
    const { name, secret } = await administer('account', 'create', '--workspace', 'shop', ...owner);
    authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
    const created = PLATFORMS.map((source) => administer('key', 'create', '--workspace', 'shop', '--source', source));
    keys = (await Promise.all(created)).map(({ apiKey }) => apiKey ?? '');
    server = await startProcess(database, [
      '--log-level',
      'trace',
      '--ingest-rate-limit',
      '10000',
      '--drain-delay',
      '0',
    ]);
    for (const [index, platform] of PLATFORMS.entries()) visits.push(await visit(platform, keys[index] ?? ''));
  }, 900_000);

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(PLATFORMS)('every event is observed with its shape as often as it was tracked: %s', async (platform) => {
    const { shapes } = await report('shapes', platform);
    expect(observedCounts(shapes)).toEqual(countsOf(stepsOf(platform)));
    const { events } = await report('events', platform);
    expect(events.length).toBeGreaterThanOrEqual(12);
    for (const { environment, appVersion } of [...shapes, ...events]) {
      expect({ environment, appVersion }).toEqual({ environment: ENVIRONMENTS[platform], appVersion: '1.4.0' });
    }
  });

  it.each(PLATFORMS)('nothing was lost or counted twice over the kill: %s', (platform) => {
    const { proxy, unsentAtKill, exitCode } = visitOf(platform);
    expect(exitCode).toBe(0);
    expect(unsentAtKill.length).toBeGreaterThan(0);
    const sent = proxy.passed.flatMap((one) => batchOf(one).events).map(({ messageId }) => messageId);
    expect(sent).toEqual(expect.arrayContaining(unsentAtKill));
    const receipts = proxy.passed.map(receiptOf);
    const sum = (count: (receipt: Receipt) => number) => receipts.reduce((total, receipt) => total + count(receipt), 0);
    const different = new Set(sent).size;
    // What was taken without an answer came again, under its ids.
    expect(sent.length).toBeGreaterThan(different);
    expect(sum(({ accepted }) => accepted)).toBe(different);
    expect(sum(({ duplicates }) => duplicates)).toBe(sent.length - different);
    expect(receipts.flatMap(({ rejected }) => rejected)).toEqual([]);
  });

  describe('leaves no value', () => {
    it('in what leaves the device, compressed or not', () => {
      const passed = visits.flatMap(({ proxy }) => proxy.passed);
      expect(new Set(passed.map(({ body }) => isZipped(body)))).toEqual(new Set([true, false]));
      expectNoValue(
        passed.flatMap(({ request, body }) => [Buffer.from([request.url, ...request.rawHeaders].join('\n')), body]),
        passed.map((one) => JSON.stringify(batchOf(one))),
      );
    });

    it.each(PLATFORMS)('in the files of the library, at the kill and at the end: %s', (platform) => {
      const { filesAtKill } = visitOf(platform);
      expectNoValue([...filesAtKill, ...filesIn(join(folder, platform))], filesAtKill.map(String));
    });

    it.each(PLATFORMS)('in the log, standard output and standard error of the app: %s', (platform) => {
      const { output } = visitOf(platform);
      expectNoValue([Buffer.from(output)], [output]);
    });

    it('in what the visual inspector shows', () => {
      const { output } = visitOf('android');
      const seen = output.split('\n').filter((line) => line.startsWith('shop: sees'));
      expect(seen).toHaveLength(3);
      for (const text of seen) {
        expect(marksIn(Buffer.from(text))).toEqual([]);
        expect(text).toContain('Screen Viewed');
      }
    });

    it('in the database, the answers and the log of the server', async () => {
      const answers = visits.flatMap(({ proxy }) => proxy.passed.map(({ answer }) => answer.bytes));
      const running = filesIn(join(folder, 'data'));
      await server.stop();
      const files = [...running, ...filesIn(join(folder, 'data'))];
      expectNoValue([...files, ...answers, Buffer.from(server.log()), Buffer.from(server.output())], files.map(String));
      expect(server.log()).toContain('/inspector/batches/v1');
    });
  });

  it('sends what docs/android.md shows, and nothing else', () => {
    const docs = readFileSync('docs/android.md', 'utf8');
    const [, head = '', json = ''] = /```http\n([^`]*)\n```\s+```json\n([^`]*)```/.exec(docs) ?? [];
    const shown: LibraryBatch = JSON.parse(json);
    const [event] = shown.events;
    const passed = visitOf('android').proxy.passed.find((one) => eventIn(one, event?.eventName) !== undefined);
    if (event === undefined || passed === undefined)
      throw new Error('The shop does not track the event in docs/android.md.');

    const events = [eventIn(passed, event.eventName)];
    const varyingOfEvent = { messageId: UUID, observedAt: TIME };
    const varying = { batchId: UUID, sentAt: TIME, events: [{ ...event, ...varyingOfEvent }] };
    expect({ ...batchOf(passed), events }).toEqual({ ...shown, ...varying });
    expect(shown).toEqual({ ...shown, ...varying });

    const { method, url, httpVersion, rawHeaders } = passed.request;
    const [line, ...fields] = head.split('\n');
    expect(line).toBe(`${method} ${url} HTTP/${httpVersion}`);
    const { 'Content-Length': _length, 'Content-Encoding': _gzip, ...headers } = Object.fromEntries(pairs(rawHeaders));
    const hidden = { Host: 'inspector.example.com', 'api-key': '<API_KEY>' };
    expect(Object.fromEntries(fields.map((field) => field.split(': ')))).toEqual({ ...headers, ...hidden });
    expect(headers['api-key']).toBe(keys[1]);
  });

  function visit(platform: PlatformName, key: string): Promise<Visit> {
    const observed = async () => observedCounts((await report('shapes', platform)).shapes);
    return visitShop({ platform, server: server.origin, key, folder: join(folder, platform), observed });
  }

  function visitOf(platform: PlatformName): Visit {
    const [jvm, android] = visits;
    const found = platform === 'jvm' ? jvm : android;
    if (found === undefined) throw new Error(`There was no visit on ${platform}.`);
    return found;
  }

  async function administer(...args: string[]): Promise<Record<string, string>> {
    const { exitCode, stdout, stderr } = await branchline([...args, '--database', database, '--json']);
    expect(exitCode, stderr).toBe(0);
    return JSON.parse(stdout);
  }

  /** The whole report on an app; a page holds more than it has. */
  async function report<Name extends keyof Reports>(name: Name, source: PlatformName): Promise<Reports[Name]> {
    const path = `/workspaces/shop/inspector/${name}/v1?source=${source}&limit=200`;
    const { status, bytes } = await exchange(server.origin, { path, headers: { authorization } });
    expect(status, bytes.toString()).toBe(200);
    const page: Reports[Name] = JSON.parse(bytes.toString());
    expect(page.nextCursor).toBeNull();
    return page;
  }
});

interface Reports {
  events: components['schemas']['ObservedEventPage'];
  shapes: components['schemas']['ObservedShapePage'];
}

const UUID = expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

function eventIn(passed: Passed, eventName: string | undefined): EventReport | undefined {
  return batchOf(passed).events.find((event) => event.eventName === eventName);
}

/** @param told the same as readable text, which must tell of an event: one that says nothing would prove nothing */
function expectNoValue(places: readonly Buffer[], told: readonly string[]): void {
  expect(places.flatMap(marksIn)).toEqual([]);
  expect(told.join('\n')).toContain('Order Completed');
}

function receiptOf({ answer }: Passed): Receipt {
  expect(answer.status, answer.bytes.toString()).toBe(200);
  return JSON.parse(answer.bytes.toString());
}

function pairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []));
}
