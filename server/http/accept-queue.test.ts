import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { describeUnless } from '../../test/support/describe-unless.ts';
import { countWaiting } from './accept-queue.ts';

const noTable = process.platform === 'linux' ? undefined : 'only Linux tells how many connections wait';

describeUnless(noTable, 'the connections that wait to be accepted', () => {
  it.each(['127.0.0.1', '::1'])('are counted on %s', async (host) => {
    const server = createServer((socket) => socket.destroy());
    await once(server.listen(0, host), 'listening');
    const address = server.address() as AddressInfo;
    expect(countWaiting(address)).toBe(0);
    const sockets = Array.from({ length: 7 }, () => connect(address.port, host).on('error', () => {}));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    // The system opens them in this tick, and nothing is accepted before the event loop goes round.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(countWaiting(address)).toBe(7);
    await expect.poll(() => countWaiting(address)).toBe(0);
  });
});
