import { expect, it, vi } from 'vitest';
import type { ProgramOrPerson } from '../../accounts/principals.ts';
import { HttpError } from '../../http/http-error.ts';
import { NotTaken } from '../../storage/group-commit.ts';
import { batch, event, KEY, NOW } from '../testing/batches.ts';
import type { LiveEvent } from './live-batch.ts';
import { LiveBatches, type LiveOptions, type LiveRequest } from './live-batches.ts';

const MINUTE_MS = 60_000;

const account = (workspaceId: string): ProgramOrPerson => ({
  serviceAccount: {
    workspaceId,
    accountId: 'ci',
    name: 'ci',
    email: 'ci@example.com',
    scopes: ['inspector:read'],
    ratePerSecond: null,
    rateEnforcement: null,
  },
});

/** Live batches whose time passes when it is told to. */
function live(options: Partial<LiveOptions> = {}) {
  let now = NOW;
  let tick: (() => void) | undefined;
  const batches = new LiveBatches({
    clock: () => NOW,
    now: () => now,
    mayStill: async () => true,
    messages: undefined,
    repeat: (callback) => {
      tick = callback;
      return () => (tick = undefined);
    },
    ...options,
  });
  return {
    batches,
    isTicking: () => tick !== undefined,
    pass: (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 1_000) {
        now += 1_000;
        tick?.();
      }
    },
    open: (request: Partial<LiveRequest> = {}) =>
      batches.open({ who: account('demo'), filter: {}, lastEventId: undefined, cutOffIfStuck: () => {}, ...request }),
    send: (eventName = 'Viewed') =>
      batches.tell(KEY, batch([event({ eventName })]), { accepted: 1, duplicates: 0, rejected: [], samplingRate: 1 }),
  };
}

type Reader = ReturnType<ReturnType<typeof live>['open']>;

/** What readers wait for. */
const awaited = new WeakMap<Reader, ReturnType<Reader['next']>>();

/** All that a reader can take without waiting. */
async function taken(reader: Reader) {
  const said: { id?: string; data?: LiveEvent }[] = [];
  for (;;) {
    const next = awaited.get(reader) ?? reader.next();
    awaited.set(reader, next);
    const result = await Promise.race([next, Promise.resolve('nothing' as const)]);
    if (result === 'nothing') return { said, hasEnded: false };
    awaited.delete(reader);
    if (result.done === true) return { said, hasEnded: true };
    said.push(result.value);
  }
}

const namesIn = ({ said }: Awaited<ReturnType<typeof taken>>) =>
  said.flatMap(({ data }) => (data?.type === 'batch' ? data.events.map(({ eventName }) => eventName) : []));

it('a stream begins by saying where it is, so that whoever comes back misses nothing', async () => {
  const { open, send } = live();
  const { said } = await taken(open());
  expect(said).toEqual([{ id: expect.stringMatching(/\.0$/) }]);
  send('One');
  send('Two');
  expect(namesIn(await taken(open({ lastEventId: said[0]?.id })))).toEqual(['One', 'Two']);
});

it('who comes back after the last reader has been gone for a minute is told that some may be missing', async () => {
  const { open, send, pass, isTicking } = live();
  const reader = open();
  const [{ id } = {}] = (await taken(reader)).said;
  await reader.return();
  pass(MINUTE_MS - 1_000);
  send('One');
  const again = open({ lastEventId: id });
  expect(namesIn(await taken(again))).toEqual(['One']);
  await again.return();
  pass(MINUTE_MS);
  expect(isTicking()).toBe(false);
  send('Two');
  expect((await taken(open({ lastEventId: id }))).said[0]).toEqual({ data: { type: 'missed', batches: null } });
});

it('an id that nobody gave out, or not yet, is not known', async () => {
  const { open } = live();
  const [{ id = '' } = {}] = (await taken(open())).said;
  for (const lastEventId of ['', '0', 'x.0', `${id}0`, `${id.slice(0, -1)}1`, `${id.slice(0, -1)}-1`, `${id} `]) {
    const [first] = (await taken(open({ lastEventId }))).said;
    expect(first, lastEventId).toEqual({ data: { type: 'missed', batches: null } });
  }
});

it('a reader that is too slow loses the oldest, and is told how many', async () => {
  const { open, send } = live();
  const reader = open();
  await taken(reader);
  for (let number = 0; number < 250; number += 1) send(`Event ${number}`);
  const late = await taken(reader);
  // It was waiting for the first.
  expect(late.said[1]).toEqual({ data: { type: 'missed', batches: 149 } });
  expect(namesIn(late)).toEqual(['Event 0', ...Array.from({ length: 100 }, (_, n) => `Event ${n + 150}`)]);
});

it('of more than 500 a second the rest is counted, also where nothing comes after', async () => {
  const { open, send, pass } = live();
  const reader = open();
  let told = 0;
  let missed = 0;
  const take = async () => {
    for (const { data } of (await taken(reader)).said) {
      if (data?.type === 'batch') told += 1;
      else if (data?.type === 'missed') missed += data.batches ?? Number.NaN;
    }
  };
  for (let number = 0; number < 620; number += 1) {
    send();
    await take();
  }
  expect({ told, missed }).toEqual({ told: 500, missed: 0 });
  pass(1_000);
  await take();
  expect({ told, missed }).toEqual({ told: 500, missed: 120 });
});

it('a stream ends after a quarter of an hour, with the place to go on from', async () => {
  const { open, send, pass } = live();
  const reader = open({ filter: { text: 'never' } });
  await taken(reader);
  send('Unwanted');
  pass(15 * MINUTE_MS);
  const { said, hasEnded } = await taken(reader);
  expect(said.at(-1)).toEqual({ id: expect.stringMatching(/\.1$/) });
  expect(hasEnded).toBe(true);
});

it('a stream on which nothing happens says every 15 seconds how far it is', async () => {
  const { open, send, pass } = live();
  const reader = open({ filter: { environment: 'dev' } });
  await taken(reader);
  send();
  pass(14_000);
  expect((await taken(reader)).said).toEqual([]);
  pass(1_000);
  expect((await taken(reader)).said).toEqual([{ id: expect.stringMatching(/\.1$/) }]);
});

it('whoever may not read any more is cut off, whether or not they take anything', async () => {
  const mayStill = vi.fn(async () => true);
  const cutOffIfStuck = vi.fn();
  const { open, pass, send } = live({ mayStill });
  const reader = open({ cutOffIfStuck });
  pass(1_000);
  expect(mayStill).not.toHaveBeenCalled();
  pass(1_000);
  expect(mayStill).toHaveBeenCalledOnce();
  mayStill.mockResolvedValue(false);
  await expect.poll(() => (pass(2_000), cutOffIfStuck.mock.calls.length)).toBeGreaterThan(0);
  send('Secret');
  const { said, hasEnded } = await taken(reader);
  expect(said.filter(({ data }) => data !== undefined)).toEqual([]);
  expect(hasEnded).toBe(true);
});

it('whoever may not read any more is cut off also while the clock of the machine goes back', async () => {
  let wall = NOW;
  const cutOffIfStuck = vi.fn();
  const { open, pass } = live({ clock: () => (wall -= MINUTE_MS), mayStill: async () => false });
  open({ cutOffIfStuck });
  pass(2_000);
  await vi.waitFor(() => expect(cutOffIfStuck).toHaveBeenCalledOnce());
});

it('a workspace has 20 streams at most', () => {
  const { open } = live();
  for (let streams = 0; streams < 20; streams += 1) open();
  expect(() => open()).toThrow(/This workspace has 20 live streams open/);
});

it('of the 200 streams of a server, the workspace that has most gives its oldest to one that has fewer', async () => {
  const { open } = live();
  const cutOffIfStuck = vi.fn();
  const first = open({ who: account('w0'), cutOffIfStuck });
  for (let streams = 1; streams < 200; streams += 1) open({ who: account(`w${streams % 10}`) });
  const second = open({ who: account('another') });
  expect(await taken(first)).toEqual({ said: [{ id: expect.stringMatching(/\.0$/) }], hasEnded: true });
  expect(cutOffIfStuck).toHaveBeenCalledOnce();
  for (let streams = 1; streams < 18; streams += 1) open({ who: account('another') });
  expect((await taken(second)).hasEnded).toBe(false);
  // Two of the others have 19 now, and eight 18.
  expect(() => open({ who: account('w9') })).toThrow(HttpError);
  expect(() => open({ who: account('another') })).toThrow(/no workspace has more of them than yours would have/);
});

it('a stream that gave way is taken up again with nothing lost', async () => {
  const { open, send } = live();
  const reader = open();
  open();
  await taken(reader);
  for (let workspace = 0; workspace < 198; workspace += 1) open({ who: account(`w${workspace}`) });
  const elsewhere = open({ who: account('another') });
  const { said, hasEnded } = await taken(reader);
  expect(hasEnded).toBe(true);
  send('One');
  expect(() => open({ lastEventId: said.at(-1)?.id })).toThrow(HttpError);
  await elsewhere.return();
  expect(namesIn(await taken(open({ lastEventId: said.at(-1)?.id })))).toEqual(['One']);
});

it('where each workspace with streams has one, and all are taken, another has none', () => {
  const { open } = live();
  for (let workspace = 0; workspace < 200; workspace += 1) open({ who: account(`w${workspace}`) });
  expect(() => open({ who: account('another') })).toThrow(/The service has 200 live streams open/);
});

it('a stop ends all streams at once, and takes no more', async () => {
  const cutOffIfStuck = vi.fn();
  const { batches, open, isTicking } = live();
  const reader = open({ cutOffIfStuck });
  batches.endAll();
  expect((await taken(reader)).hasEnded).toBe(true);
  expect(cutOffIfStuck).toHaveBeenCalledOnce();
  expect(isTicking()).toBe(false);
  expect(() => open()).toThrow(NotTaken);
});

it('a batch that nobody watches for is not looked at', () => {
  const { batches, open } = live();
  open({ who: account('elsewhere') });
  const untouchable = new Proxy(batch([]), {
    get: () => {
      throw new Error('It was looked at.');
    },
  });
  expect(() =>
    batches.tell(KEY, untouchable, { accepted: 0, duplicates: 0, rejected: [], samplingRate: 1 }),
  ).not.toThrow();
});
