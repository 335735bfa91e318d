import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { arrivingInput } from './arriving-input.ts';
import { awaitFirstTurn } from './first-turn.ts';

let server: Server;
/** The connections on which something came, by their order, and those whose first turn has come. */
let came: Socket[];
let begun: Socket[];
/** Turns that are still to be given. */
let turns: (() => void)[];
let giveTurn: (turn: () => void) => void;

beforeEach(async () => {
  [came, begun, turns] = [[], [], []];
  giveTurn = (turn) => void turns.push(turn);
  server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('end', () => begun.includes(socket) || socket.destroy());
    socket.on('error', () => {});
    socket.once('readable', () => {
      const bytes: Buffer | null = socket.read();
      if (bytes === null) return;
      came.push(socket);
      awaitFirstTurn(socket, bytes, giveTurn, () => void begun.push(socket));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  for (const socket of came) socket.destroy();
  server.close();
});

const open = (): Socket => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});

it.each<[string, (client: Socket) => void]>([
  ['ends', (client) => client.end()],
  ['resets its connection', (client) => client.resetAndDestroy()],
])('a client that %s before its first turn costs no more than that', async (_how, leave) => {
  const client = open();
  client.write('x'.repeat(1_000));
  await expect.poll(() => turns).toHaveLength(1);
  leave(client);
  await expect.poll(() => came[0]?.destroyed).toBe(true);
  turns[0]?.();
  await nextTurn();
  expect(begun).toEqual([]);
});

it('what is held until then is counted among what has arrived, and a bounded part of what was sent', async () => {
  const add = vi.spyOn(arrivingInput, 'add');
  const remove = vi.spyOn(arrivingInput, 'remove');
  onTestFinished(() => void vi.restoreAllMocks());
  const client = open();
  client.write(Buffer.alloc(4_000_000));
  await expect.poll(() => turns).toHaveLength(1);
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  const held = add.mock.calls.reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(200_000);
  client.destroy();
  came[0]?.destroy();
  await expect.poll(() => remove.mock.calls).toEqual([[add.mock.calls[0]?.[0]]]);
});

it('what the client sent is all there, in order, whenever the turn comes', async () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 100_000, size: 'max' }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 0, max: 20 }), async (sent, delay) => {
      const whole = Buffer.concat(sent);
      begun.length = 0;
      giveTurn = (turn) => void waitTurns(delay).then(turn);
      if (delay === 0) giveTurn = (turn) => turn();
      const client = open();
      for (const piece of sent) client.write(piece);
      await expect.poll(() => begun, { interval: 1 }).toHaveLength(1);
      const read = begun[0] === undefined ? undefined : buffer(begun[0]);
      client.end();
      expect(Buffer.compare((await read) ?? Buffer.alloc(0), whole)).toBe(0);
      begun[0]?.destroy();
    }),
    { numRuns: 40 },
  );
});

async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}
