import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { batchOf, type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { type Counts, countsOf, PLANS, stepsOf } from './shop-events.ts';
import { type PlatformName, type ShopProcess, startShop } from './shop-process.ts';

/** A bound, not a pause: whatever is waited for is looked for again and again. */
const PATIENCE = { timeout: 180_000, interval: 20 };

export interface VisitParts {
  platform: PlatformName;
  server: string;
  key: string;
  /** The app's own, made here. */
  folder: string;
  /** What the server says that it has observed of this app. */
  observed: () => Promise<Counts>;
}

/** What a visit to the shop has left behind. */
export interface Visit {
  proxy: RecordingProxy;
  /** What the app has written on standard output and standard error, which is where its log goes. */
  output: string;
  /** The library's files as the kill left them. */
  filesAtKill: Buffer[];
  /** The ids of the events that were in the files and had not been sent when the app was killed. */
  unsentAtKill: string[];
  exitCode: number | null;
}

/**
 * A customer does things, in the middle of which the server takes events without an answer coming back; more events follow, and
 * the app is killed. Started again, it goes on.
 */
export async function visitShop(parts: VisitParts): Promise<Visit> {
  mkdirSync(parts.folder);
  const proxy = await startRecordingProxy(parts.server);
  const started: ShopProcess[] = [];
  try {
    const start = async () => {
      const shop = await startShop(parts.platform, { endpoint: proxy.origin, key: parts.key, folder: parts.folder });
      started.push(shop);
      return shop;
    };
    const killed = await visitUntilKill(await start(), proxy, parts);
    proxy.answer();
    const exitCode = await visitToTheEnd(await start(), parts);
    return { ...killed, proxy, exitCode, output: started.map(({ output }) => output()).join('') };
  } finally {
    for (const shop of started) await shop.kill();
    await proxy.close();
  }
}

async function visitUntilKill(shop: ShopProcess, proxy: RecordingProxy, { platform, folder, observed }: VisitParts) {
  const { answered, unanswered, unsent } = PLANS[platform];
  await shop.customer(answered);
  await eventually(observed, countsOf([answered]));
  proxy.withhold();
  await shop.customer(unanswered);
  await eventually(() => proxy.passed.some(({ isWithheld }) => isWithheld), true);
  await shop.customer(unsent);
  const tracked = total(countsOf([answered, unanswered, unsent]));
  await eventually(() => new Set([...idsIn(folder), ...answeredIds(proxy)]).size, tracked);
  await shop.kill();
  const sent = sentIds(proxy);
  return { filesAtKill: filesIn(folder), unsentAtKill: idsIn(folder).filter((id) => !sent.has(id)) };
}

async function visitToTheEnd(shop: ShopProcess, { platform, observed }: VisitParts): Promise<number | null> {
  for (const step of PLANS[platform].later) await shop.customer(step);
  await eventually(observed, countsOf(stepsOf(platform)));
  if (platform === 'android') await shop.customer('look');
  return shop.close();
}

async function eventually<Value>(look: () => Value | Promise<Value>, wanted: Value): Promise<void> {
  await vi.waitFor(async () => expect(await look()).toEqual(wanted), PATIENCE);
}

function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The content of every file in a folder, and its path. */
export function filesIn(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => Buffer.concat([Buffer.from(path), readFileSync(path)]));
}

function idsIn(folder: string): string[] {
  return [
    ...Buffer.concat(filesIn(folder))
      .toString('latin1')
      .matchAll(/"messageId":"([^"]+)"/g),
  ].map(([, id = '']) => id);
}

function sentIds({ passed }: RecordingProxy): Set<string> {
  return new Set(passed.flatMap((one) => batchOf(one).events).map(({ messageId }) => messageId));
}

function answeredIds({ passed }: RecordingProxy): string[] {
  const answered = passed.filter(({ isWithheld }) => !isWithheld);
  return answered.flatMap((one) => batchOf(one).events).map(({ messageId }) => messageId);
}
