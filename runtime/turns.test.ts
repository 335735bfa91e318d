import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { postponeTurns, takeFirstTurn, takeTurn, takeUrgentTurn } from './turns.ts';
import { hostileApp } from './testing/hostile-app.ts';

const PIECE_MS = 30;

/** After which nobody rests who asks alone. */
const SHORTER_MS = 3;

const hostile = hostileApp();

/** Asks for turns in this order, and gives the names of the callers in the order in which they had them. */
async function orderOfTurns(
  names: readonly string[],
  holderOf: (name: string) => string,
  milliseconds = 0,
): Promise<string[]> {
  const order: string[] = [];
  const callers = names.map(async (name) => {
    await takeTurn(holderOf(name));
    order.push(name);
    work(milliseconds);
    setImmediate(() => order.push(`after ${name}`));
  });
  await Promise.all(callers);
  await turnOfTheLoop();
  return order;
}

/** Time passes by work alone. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(async () => {
  // What is under way ends by the clock that it began by.
  for (let turn = 0; turn < 3; turn += 1) await turnOfTheLoop();
  vi.useRealTimers();
});

function work(milliseconds = PIECE_MS): void {
  vi.advanceTimersByTime(milliseconds);
}

it('serves the callers of a holder in the order in which they ask, for a millisecond in each turn of the event loop', async () => {
  const order = await orderOfTurns(['a', 'b', 'c', 'd', 'e'], () => 'one', 0.4);
  expect(order.filter((name) => !name.startsWith('after'))).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(order.slice(0, 3)).toEqual(['a', 'b', 'c']);
  expect(order.indexOf('after a')).toBeLessThan(order.indexOf('d'));
});

it('serves one caller in each turn of the event loop where that takes a millisecond or more', async () => {
  const order = await orderOfTurns(['a', 'b', 'c'], (name) => `long ${name}`, 1);
  expect(order.indexOf('after a')).toBeLessThan(order.indexOf('b'));
  expect(order.indexOf('after b')).toBeLessThan(order.indexOf('c'));
});

it('has holders take turns, however many wait of one', async () => {
  const order = await orderOfTurns(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'], ([holder = '']) => `each ${holder}`);
  expect(order.filter((name) => !name.startsWith('after'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

it('has a holder that asks for little wait for one piece, however many ask for all they can', async () => {
  const order: string[] = [];
  const over = new AbortController();
  const flood = async (name: string) => {
    while (!over.signal.aborted) {
      await takeTurn(name);
      order.push(name);
      work(0.5);
    }
  };
  const floods = Array.from({ length: 30 }, (_, index) => flood(`flood ${index}`));
  const waited: number[] = [];
  for (let asked = 0; asked < 20; asked += 1) {
    const before = order.length;
    await takeTurn('modest');
    waited.push(order.length - before);
    work(0.1);
    // Others have several rounds of turns meanwhile.
    for (let turn = 0; turn < 100; turn += 1) await turnOfTheLoop();
  }
  over.abort();
  await Promise.all(floods);
  // It may come first when all begin.
  expect(Math.max(...waited.slice(1))).toBeLessThanOrEqual(2);
});

it('has urgent work come next, but for one piece of others after each of its own', async () => {
  const order: string[] = [];
  const others = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map((name) =>
    takeTurn(name.slice(0, 1)).then(() => order.push(name)),
  );
  const urgent = ['c1', 'c2', 'c3'].map((name) => takeUrgentTurn('c').then(() => order.push(name)));
  await Promise.all([...others, ...urgent]);
  expect(order.filter((name) => name.startsWith('c'))).toEqual(['c1', 'c2', 'c3']);
  const [first = 0, ...next] = ['c1', 'c2', 'c3'].map((name) => order.indexOf(name));
  expect(first).toBeLessThanOrEqual(1);
  expect(next).toEqual([first + 2, first + 4]);
});

it('has what goes on wait for a few beginnings of its holder, however many those are, and those for one round of it', async () => {
  const order: string[] = [];
  const begunIn: number[] = [];
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  const note = (name: string) => () => {
    order.push(name);
    if (name === 'begins') begunIn.push(turn);
  };
  const beginnings = Array.from({ length: 300 }, () => takeFirstTurn('one').then(note('begins')));
  const goOn = async (name: string) => {
    for (let n = 0; n < 10; n += 1) await takeTurn('one').then(note(name));
  };
  await Promise.all([...beginnings, goOn('a'), goOn('b'), goOn('c')]);
  clearImmediate(counting);
  const gapsIn = (places: readonly number[]) => places.map((at, n) => at - (places[n - 1] ?? 0));
  const placesOf = (name: string) => order.flatMap((one, at) => (one === name ? [at] : []));
  for (const name of ['a', 'b', 'c']) expect(Math.max(...gapsIn(placesOf(name)))).toBeLessThanOrEqual(11);
  // One for each of those that go on, however often they come.
  expect(Math.max(...gapsIn(begunIn))).toBeLessThanOrEqual(4);
});

it('has a beginning wait for few of others, however much of its holder has gone on, and however many those ask for', async () => {
  let begun = 0;
  const over = new AbortController();
  const flood = async () => {
    while (!over.signal.aborted) {
      await takeFirstTurn('flood');
      begun += 1;
      work(0.1);
    }
  };
  const floods = Array.from({ length: 20 }, flood);
  for (let pieces = 0; pieces < 50; pieces += 1) {
    await takeTurn('exports');
    work(SHORTER_MS);
  }
  const before = begun;
  await takeFirstTurn('exports');
  expect(begun - before).toBeLessThanOrEqual(15);
  over.abort();
  await Promise.all(floods);
});

it('has holders begin as often as each other, however little time what they begin takes', async () => {
  const begun = { refused: 0, creates: 0 };
  const keepAsking = async (name: keyof typeof begun, milliseconds: number) => {
    while (begun.refused + begun.creates < 200) {
      await takeFirstTurn(name);
      begun[name] += 1;
      work(milliseconds);
    }
  };
  const floods = Array.from({ length: 20 }, () => keepAsking('refused', 0.01));
  await Promise.all([...floods, keepAsking('creates', 0.2), keepAsking('creates', 0.2)]);
  expect(begun.creates).toBeGreaterThan(200 / 3);
});

it('lets neither kind of work keep the other waiting, however long the pieces of both are', async () => {
  const order: string[] = [];
  const over = new AbortController();
  const keepAsking = async (name: string, take: (holder: string) => Promise<void>) => {
    while (!over.signal.aborted) {
      await take(name);
      order.push(name);
      work(0.9);
      if (order.length === 200) over.abort();
    }
  };
  const all = ['a', 'b', 'c'].flatMap((name) => [
    ...Array.from({ length: 5 }, () => keepAsking(`${name} begins`, takeFirstTurn)),
    ...Array.from({ length: 5 }, () => keepAsking(`${name} goes on`, takeTurn)),
  ]);
  await Promise.all(all);
  const begun = order.slice(0, 200).filter((name) => name.endsWith('begins')).length;
  expect(begun).toBeGreaterThan(200 / 3);
  expect(begun).toBeLessThan((200 * 2) / 3);
});

it('begins one in each turn of the event loop, and does what goes on beside it', async () => {
  const order: string[] = [];
  const take = async (name: string, turn: Promise<void>) => {
    await turn;
    order.push(name);
    setImmediate(() => order.push('|'));
  };
  const begin = ['b1', 'b2', 'b3'].map((name) => take(name, takeFirstTurn('begins')));
  const goOn = ['g1', 'g2', 'g3'].map((name) => take(name, takeTurn('goes on')));
  await Promise.all([...begin, ...goOn]);
  await turnOfTheLoop();
  const placesOf = (...names: string[]) => names.map((name) => order.indexOf(name));
  const [first = 0, second = 0, third = 0] = placesOf('b1', 'b2', 'b3');
  expect(order.slice(first, second)).toContain('|');
  expect(order.slice(second, third)).toContain('|');
  expect(Math.max(...placesOf('g1', 'g2', 'g3'))).toBeLessThan(order.indexOf('|', first));
});

it('has little under way, however much of what begins goes on', async () => {
  let underWay = 0;
  let most = 0;
  const work = async () => {
    await takeFirstTurn('one');
    most = Math.max(most, ++underWay);
    for (let n = 0; n < 3; n += 1) await takeTurn('one');
    underWay -= 1;
  };
  await Promise.all(Array.from({ length: 300 }, work));
  expect(most).toBeLessThanOrEqual(4 * 8);
});

it.for([
  ['a long piece', PIECE_MS, []],
  ['a shorter one as well while others ask', SHORTER_MS, ['while busy']],
] as const)('has a holder rest after %s, for as long as that took', async ([busy, milliseconds, others]) => {
  for (const holder of [...others, busy]) await takeTurn(holder);
  work(milliseconds);
  let hasTurn = false;
  const next = takeTurn(busy).then(() => (hasTurn = true));
  await turnOfTheLoop();
  vi.advanceTimersByTime(milliseconds - 1);
  await turnOfTheLoop();
  expect(hasTurn).toBe(false);
  vi.advanceTimersByTime(1);
  await next;
});

it.for([
  ['goes on', takeTurn],
  ['begins', takeFirstTurn],
] as const)(
  'has whoever %s rest for a second at most, however long the process stood still in its piece',
  async ([, take]) => {
    await take('stood still');
    work(3_600_000);
    const next = take('stood still');
    await turnOfTheLoop();
    vi.advanceTimersByTime(1_000);
    await next;
  },
);

it('has nobody rest after a shorter piece who asks alone', async () => {
  await takeTurn('before');
  vi.advanceTimersByTime(1_000);
  await takeTurn('alone');
  work(SHORTER_MS);
  await takeTurn('alone');
});

it('lets others have their turns while a holder rests', async () => {
  await takeTurn('resting');
  work();
  const order: string[] = [];
  const resting = takeTurn('resting').then(() => order.push('resting'));
  await Promise.all(['x', 'y', 'z'].map((name) => takeTurn('other').then(() => order.push(name))));
  await turnOfTheLoop();
  vi.advanceTimersByTime(PIECE_MS);
  await resting;
  expect(order).toEqual(['x', 'y', 'z', 'resting']);
});

it('leaves out turns of the event loop when told to, though for no more than 4 ms at a time', async () => {
  const served: number[] = [];
  let turn = 0;
  await takeTurn('one');
  work(1);
  const callers = [1, 2].map(async () => {
    await takeTurn('one');
    served.push(turn);
    work(1);
  });
  for (; turn < 8; turn += 1) {
    postponeTurns();
    await turnOfTheLoop();
    work(2);
  }
  expect(served).toEqual([3, 6]);
  await Promise.all(callers);
});

it.each([
  [1, 10],
  [6, 30],
  [16, 80],
  [160, 80],
])(
  'lets requests begin by the time that turns of the event loop take, each %i ms: of 10 turns %i at most',
  async (milliseconds, most) => {
    let begun = 0;
    const callers = Array.from({ length: 100 }, (_, index) =>
      takeFirstTurn(`holder ${index}`).then(() => (begun += 1)),
    );
    for (let turn = 0; turn < 10; turn += 1) {
      work(milliseconds);
      await turnOfTheLoop();
    }
    expect(begun).toBeLessThanOrEqual(most + 1);
    expect(begun).toBeGreaterThanOrEqual(0.8 * most);
    while (begun < callers.length) await turnOfTheLoop();
  },
);

it('gives no turns to those that nobody waits for any more, however many they are', async () => {
  const order: string[] = [];
  let isWanted = true;
  const first = takeFirstTurn('flood').then(() => work(1));
  const gone = Array.from({ length: 1_000 }, (_, index) =>
    takeFirstTurn(`holder ${index % 10}`, () => isWanted).then(() => order.push('gone')),
  );
  const last = takeFirstTurn('holder 3').then(() => order.push('last'));
  await first;
  isWanted = false;
  let turns = 0;
  for (; !order.includes('last'); turns += 1) await turnOfTheLoop();
  expect(turns).toBeLessThan(5);
  await Promise.all([...gone, last]);
});

it('has requests wait for their turns, by whom the application says they count for', async () => {
  const order: unknown[] = [];
  const app = await hostile({
    holderOf: ({ headers }) => String(headers['x-holder']),
    handlers: {
      listThings: ({ query }) => {
        order.push(query['limit']);
        return { status: 200, body: {} };
      },
    },
  });
  const ask = (holder: string, limit: number) =>
    app.inject({ url: `/things?limit=${limit}`, headers: { 'x-holder': holder } });
  await Promise.all([ask('a', 1), ask('a', 2), ask('a', 3), ask('b', 4), ask('a', 5), ask('b', 6)]);
  const placesOf = (...limits: number[]) => limits.map((limit) => order.indexOf(limit));
  expect(placesOf(1, 2, 3, 5)).toEqual(placesOf(1, 2, 3, 5).toSorted());
  expect(order.indexOf(4)).toBe(1);
});

it('does not serve whoever has left by then', async () => {
  let served = 0;
  const controller = new AbortController();
  const app = await hostile({
    holderOf: ({ headers }) => {
      if (headers['x-leaves'] !== undefined) controller.abort();
      return 'one';
    },
    handlers: {
      listThings: ({ query }) => {
        served += 1;
        if (query['limit'] === 7) work();
        return { status: 200, body: {} };
      },
    },
  });
  const things = `${await app.listen({ port: 0 })}/things`;
  await fetch(`${things}?limit=7`);
  const left = new Promise((resolve) => app.server.on('request', ({ socket }) => socket.once('close', resolve)));
  const leaving = fetch(things, { headers: { 'x-leaves': '' }, signal: controller.signal });
  await expect(leaving).rejects.toThrow(/abort/);
  await left;
  vi.advanceTimersByTime(PIECE_MS);
  expect((await fetch(things)).status).toBe(200);
  expect(served).toBe(2);
});
