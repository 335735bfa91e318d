import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EVERYONE, type MessageHearer, type Messages } from '../../storage/messages.ts';
import type { LiveEvent } from './live-batch.ts';
import { OtherServers } from './other-servers.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** What servers of one database share, without a database. */
class Wire implements Messages {
  readonly sent: [workspaceId: string, text: string][] = [];
  readonly #hearers = new Map<MessageHearer, ReadonlySet<string>>();
  isBroken = false;
  /** How far the shared clock is ahead. */
  ahead = 0;

  async send(workspaceId: string, text: string): Promise<number> {
    if (this.isBroken) throw new Error('The database went away (a fault of this test).');
    this.sent.push([workspaceId, text]);
    for (const [{ heard }, followed] of this.#hearers) {
      if (workspaceId === EVERYONE || followed.has(workspaceId)) heard(workspaceId, text);
    }
    return Date.now() + this.ahead;
  }

  /** Has all look for what was said to everyone. */
  catchUp(): void {
    for (const { caughtUp } of this.#hearers.keys()) caughtUp();
  }

  hear(hearer: MessageHearer) {
    this.#hearers.set(hearer, new Set());
    return {
      follow: (workspaceIds: readonly string[]) => void this.#hearers.set(hearer, new Set(workspaceIds)),
      close: async () => void this.#hearers.delete(hearer),
    };
  }

  /** Sets back the clock of the database. */
  lose(): void {
    for (const [{ lost }, followed] of this.#hearers)
      for (const workspaceId of [EVERYONE, ...followed]) lost(workspaceId);
  }

  async forget(): Promise<'done'> {
    return 'done';
  }

  async forgetWorkspace(): Promise<void> {}
}

function server(messages: Messages) {
  const told: [workspaceId: string, event: LiveEvent][] = [];
  const others = new OtherServers({
    messages,
    now: Date.now,
    told: (...what) => told.push(what),
    changed: () => {},
  });
  return { others, told };
}

const missed = (batches: number): LiveEvent => ({ type: 'missed', batches });

it('a workspace is watched where another server says so, and until it does so no more', async () => {
  const wire = new Wire();
  const [one, other] = [server(wire), server(wire)];
  one.others.announce(['shop']);
  expect([one.others.watch('shop'), other.others.watch('shop'), other.others.watch('bank')]).toEqual([
    false,
    true,
    false,
  ]);
  one.others.announce([]);
  expect(other.others.watch('shop')).toBe(false);
});

it('a server that says nothing any more is believed for 15 seconds', () => {
  const wire = new Wire();
  const [one, other] = [server(wire), server(wire)];
  for (let seconds = 0; seconds < 60; seconds += 1) {
    one.others.announce(['shop']);
    vi.advanceTimersByTime(1_000);
    expect(other.others.watch('shop')).toBe(true);
  }
  expect(wire.sent).toHaveLength(12);
  vi.advanceTimersByTime(15_001);
  // It may have stood still itself, and has much to hear.
  expect(other.others.watch('shop')).toBe(true);
  wire.catchUp();
  expect(other.others.watch('shop')).toBe(false);
});

const unknown = (workspaceId: string): [string, LiveEvent] => [workspaceId, { type: 'missed', batches: null }];

it.for([
  ['its announcements could not be sent', 10, { isBroken: true }],
  ['it stood still, and its clock with it', 0, { ahead: 10_000 }],
] as const)('batches may be missing where %s for ten seconds', async ([, seconds, harm]) => {
  const wire = new Wire();
  const { others, told } = server(wire);
  const announceFor = async (seconds: number, watched: readonly string[]) => {
    for (let second = 0; second < seconds; second += 1) {
      others.announce(watched);
      await vi.advanceTimersByTimeAsync(1_000);
    }
  };
  await announceFor(20, ['shop', 'bank']);
  Object.assign(wire, harm);
  await announceFor(seconds, ['shop', 'bank']);
  wire.isBroken = false;
  expect(told).toEqual([]);
  await announceFor(5, ['shop', 'new']);
  expect(told).toEqual([unknown('shop')]);
  // Others may have looked for it some seconds later.
  await announceFor(5, ['shop', 'new']);
  expect(told).toEqual([unknown('shop'), unknown('shop')]);
  await announceFor(20, ['shop', 'new']);
  expect(told).toHaveLength(2);
});

it('nothing may be missing where nobody watched for minutes', async () => {
  const { others, told } = server(new Wire());
  for (const watched of [['shop'], [], ['shop', 'bank']]) {
    for (let second = 0; second < 120; second += 1) {
      others.announce(watched);
      await vi.advanceTimersByTimeAsync(1_000);
    }
  }
  expect(told).toEqual([]);
});

it('what comes within a moment is one message, heard by those who follow', async () => {
  const wire = new Wire();
  const [one, other, third] = [server(wire), server(wire), server(wire)];
  one.others.announce(['shop']);
  third.others.announce(['bank']);
  const before = wire.sent.length;
  for (const batches of [1, 2, 3]) other.others.tell('shop', missed(batches));
  await vi.advanceTimersByTimeAsync(100);
  expect(wire.sent.length - before).toBe(1);
  expect(one.told).toEqual([1, 2, 3].map((batches) => ['shop', missed(batches)]));
  expect([other.told, third.told]).toEqual([[], []]);
});

it('of more than 50 events in a moment the rest is counted', async () => {
  const wire = new Wire();
  const [one, other] = [server(wire), server(wire)];
  one.others.announce(['shop']);
  for (let event = 0; event < 60; event += 1) other.others.tell('shop', missed(1));
  await vi.advanceTimersByTimeAsync(100);
  expect(one.told).toHaveLength(51);
  expect(one.told.at(-1)).toEqual(['shop', missed(10)]);
});

it('what could not be sent is counted, as long as somebody watches', async () => {
  const wire = new Wire();
  const [one, other] = [server(wire), server(wire)];
  one.others.announce(['shop']);
  wire.isBroken = true;
  for (const batches of [1, 2]) other.others.tell('shop', missed(batches));
  await vi.advanceTimersByTimeAsync(250);
  wire.isBroken = false;
  await vi.advanceTimersByTimeAsync(100);
  expect(one.told).toEqual([['shop', missed(3)]]);
  wire.isBroken = true;
  other.others.tell('shop', missed(1));
  await vi.advanceTimersByTimeAsync(20_000);
  wire.catchUp();
  await vi.advanceTimersByTimeAsync(200);
  expect(vi.getTimerCount()).toBe(0);
});

it('what may be lost is missing, nobody knows how much, where somebody watches', () => {
  const wire = new Wire();
  const [one, other] = [server(wire), server(wire)];
  one.others.announce(['shop', 'bank']);
  wire.lose();
  expect(one.told).toEqual(['shop', 'bank'].map((watched) => [watched, { type: 'missed', batches: null }]));
  expect(other.told).toEqual([]);
});

it('a server that ends sends what it was told, and says that nothing is watched', async () => {
  const wire = new Wire();
  const [one, other] = [server(wire), server(wire)];
  one.others.announce(['shop']);
  other.others.announce(['shop']);
  other.others.tell('shop', missed(1));
  await other.others.close();
  expect(one.told).toEqual([['shop', missed(1)]]);
  expect(one.others.watch('shop')).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
