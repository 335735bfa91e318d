import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type From, type Postponed, RequestTurns, serveInTurns } from './request-turns.ts';

/** Turns of the event loop that are told by the test, and work that takes time of its own clock. */
function told() {
  let now = 0;
  const callbacks: (() => void)[] = [];
  const begun: string[] = [];
  const turns = new RequestTurns({ clock: () => now, nextTurn: (callback) => callbacks.push(callback) });
  return {
    begun,
    /** Work of the holder that the name begins with. */
    add: (name: string, milliseconds: number, from?: From) => {
      const begin = (): void => {
        begun.push(name);
        void Promise.resolve().then(() => (now += milliseconds));
      };
      turns.add({ holder: name.slice(0, 1), part: '' }, begin, from);
    },
    postpone: (what: Postponed = 'new') => turns.postpone(what),
    pass: (milliseconds: number) => (now += milliseconds),
    settle: () => turnOfTheLoop(),
    turn: async () => {
      begun.push('|');
      for (const callback of callbacks.splice(0)) callback();
      await turnOfTheLoop();
    },
    asksForTurns: () => callbacks.length > 0,
  };
}

describe('requests are begun', () => {
  it('at once, as long as there is time left in the turn', async () => {
    const { add, begun, settle } = told();
    for (const name of ['a1', 'a2']) {
      add(name, 0.4);
      await settle();
    }
    expect(begun).toEqual(['a1', 'a2']);
  });

  it('for a millisecond in each turn, what they do in microtasks counted', async () => {
    const { add, begun, settle, turn } = told();
    add('a1', 2);
    await settle();
    for (const name of ['a2', 'a3', 'a4', 'a5']) add(name, 0.5);
    expect(begun).toEqual(['a1']);
    await turn();
    await turn();
    expect(begun).toEqual(['a1', '|', 'a2', 'a3', '|', 'a4', 'a5']);
  });

  it.each([
    [2, 2],
    [3, 3],
    [4, 4],
    [400, 4],
  ])('for longer in a turn that has taken %f ms already: %i of half a millisecond', async (passed, count) => {
    const { add, begun, settle, pass, turn } = told();
    add('a1', 1);
    await settle();
    for (let index = 0; index < 10; index += 1) add('b', 0.5);
    pass(passed - 1);
    await turn();
    expect(begun.filter((name) => name === 'b')).toHaveLength(count);
  });

  it('one in a turn where each takes longer, the holders one after the other', async () => {
    const { add, begun, settle, turn } = told();
    add('a1', 9);
    await settle();
    for (const name of ['a2', 'a3', 'a4', 'b1', 'b2']) add(name, 9);
    for (let count = 0; count < 5; count += 1) await turn();
    expect(begun.filter((name) => name !== '|')).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
    expect(begun).toEqual(['a1', '|', 'a2', '|', 'b1', '|', 'a3', '|', 'b2', '|', 'a4']);
  });

  it('behind those who wait, though there is time left', async () => {
    const { add, begun, settle, turn } = told();
    add('a1', 9);
    await settle();
    add('a2', 0.1);
    add('c1', 0.1);
    const turning = turn();
    add('b1', 0.1);
    await turning;
    expect(begun).toEqual(['a1', '|', 'a2', 'c1', 'b1']);
  });

  it('of whoever may have left only after the event loop has read all input once more', async () => {
    const { add, begun, turn } = told();
    add('a1', 0.1, 'perhaps left');
    await turn();
    add('a2', 0.1, 'perhaps left');
    add('b1', 0.1);
    expect(begun).toEqual(['|', 'b1']);
    await turn();
    await turn();
    expect(begun).toEqual(['|', 'b1', '|', 'a1', '|', 'a2']);
  });

  it('and nothing keeps the event loop awake afterwards', async () => {
    const { add, turn, asksForTurns } = told();
    add('a1', 1);
    await turn();
    expect(asksForTurns()).toBe(false);
  });

  it('a turn later when those of new connections are postponed, though not for longer than 8 ms at a time', async () => {
    const { add, begun, settle, postpone, pass, turn } = told();
    add('a1', 9, 'new');
    await settle();
    for (const name of ['a2', 'a3']) add(name, 9, 'new');
    for (let count = 0; count < 6; count += 1) {
      postpone();
      await turn();
      pass(4);
    }
    expect(begun).toEqual(['a1', '|', '|', '|', 'a2', '|', '|', '|', 'a3']);
  });

  it('a turn later when all are postponed, though not for longer than 4 ms at a time', async () => {
    const { add, begun, settle, postpone, pass, turn } = told();
    add('a1', 9);
    await settle();
    for (const name of ['a2', 'a3']) add(name, 9);
    for (let count = 0; count < 6; count += 1) {
      postpone('all');
      await turn();
      if (count === 1) add('b1', 9);
      pass(2);
    }
    expect(begun).toEqual(['a1', '|', '|', '|', 'a2', '|', '|', '|', 'b1']);
  });

  it('of known connections without waiting for that, and in turns with those of new ones', async () => {
    const { add, begun, settle, postpone, turn } = told();
    add('a1', 9);
    await settle();
    for (const name of ['n1', 'n2', 'n3']) add(name, 9, 'new');
    for (const name of ['k1', 'k2', 'k3', 'k4']) add(name, 9);
    postpone();
    await turn();
    for (let count = 0; count < 6; count += 1) await turn();
    const [first, ...others] = begun.filter((name) => /[kn]/.test(name));
    expect(first).toBe('k1');
    expect(others.join(' ')).toMatch(/^(n1 k2 n2 k3 n3 k4|k2 n1 k3 n2 k4 n3)$/);
  });

  it('of connections that stay in half of the turns, however many come and end', async () => {
    const { add, begun, settle, turn } = told();
    add('a1', 9);
    await settle();
    for (let count = 0; count < 20; count += 1) {
      add(`n${count}`, 9, 'new');
      add(`e${count}`, 9, 'ended');
    }
    for (const name of ['k1', 'k2', 'k3', 'k4']) add(name, 9);
    for (let count = 0; count < 8; count += 1) await turn();
    const kinds = begun.filter((name) => /[kne]/.test(name)).map((name) => name.charAt(0));
    expect(kinds.toSorted().join('')).toBe('eeeekkkk');
    expect(kinds.join('')).not.toMatch(/[ne]{2}/);
  });

  it('of connections that have ended before those of new ones, also while these are postponed', async () => {
    const { add, begun, settle, postpone, turn } = told();
    add('a1', 9);
    await settle();
    add('n1', 9, 'new');
    for (const name of ['e1', 'e2', 'e3']) add(name, 9, 'ended');
    postpone();
    for (let count = 0; count < 4; count += 1) await turn();
    expect(begun.filter((name) => name !== '|')).toEqual(['a1', 'e1', 'e2', 'e3', 'n1']);
  });
});

describe('a server that serves in turns', () => {
  async function serving(serve: RequestListener, turns: RequestTurns) {
    const server = createServer(serve);
    serveInTurns(server, { turns, shareOf: ({ url }) => ({ holder: url ?? '', part: '' }) });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    return (paths: readonly string[]) =>
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''));
  }

  it('lets the event loop go round between requests that come together', async () => {
    let round = 0;
    let ticking = setImmediate(function tick() {
      round += 1;
      ticking = setImmediate(tick);
    });
    onTestFinished(() => clearImmediate(ticking));
    const { turns, work } = turnsOfWork();
    const served: { path: string | undefined; round: number }[] = [];
    const { promise: all, resolve } = Promise.withResolvers<void>();
    const send = await serving(({ url }, response) => {
      work();
      served.push({ path: url, round });
      response.end();
      if (served.length === 5) resolve();
    }, turns);
    send(['/a', '/a', '/a', '/b', '/b']);
    await all;
    expect(served.map(({ path }) => path)).toEqual(['/a', '/a', '/b', '/a', '/b']);
    expect(new Set(served.map((one) => one.round)).size, 'turns of the event loop').toBe(5);
  });

  it('serves nobody who has left by their turn', async () => {
    const { turns, work } = turnsOfWork();
    let served = 0;
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const send = await serving(({ socket }) => {
      served += 1;
      work();
      setImmediate(() => socket.destroy());
      socket.once('close', () => resolve());
    }, turns);
    send(['/a', '/a', '/a', '/a', '/a', '/a']);
    await left;
    for (let round = 0; round < 10; round += 1) await turnOfTheLoop();
    expect(served).toBeLessThan(4);
  });

  it('serves few of many that ask on connections of their own and leave at once', async () => {
    const { turns, work } = turnsOfWork();
    let served = 0;
    const server = createServer((_request, response) => {
      served += 1;
      work();
      response.end();
    });
    serveInTurns(server, { turns, shareOf: () => ({ holder: 'one', part: '' }) });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const leave = async (): Promise<void> => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.end('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      socket.resume();
      await once(socket, 'close');
    };
    await Promise.all(Array.from({ length: 200 }, leave));
    expect(served).toBeLessThan(20);
  });
});

/** Turns of the event loop by a clock that only work moves: whatever else the machine does takes none of their time. */
function turnsOfWork() {
  let now = 0;
  return {
    turns: new RequestTurns({ clock: () => now, nextTurn: setImmediate }),
    /** For longer than requests are begun in a turn. */
    work: () => (now += 4),
  };
}
