import { expect, it } from 'vitest';
import { NotificationListener } from './notification-listener.ts';

it('says that no notifications come where it never could listen', async () => {
  const told: boolean[] = [];
  const listener = new NotificationListener({
    // Nothing listens at this port.
    url: 'postgres://branchline@127.0.0.1:1/branchline',
    channel: 'branchline_live',
    notify: () => Promise.resolve(),
    notified: () => {},
    changed: (isListening) => told.push(isListening),
  });
  listener.start();
  await expect.poll(() => told).toEqual([false]);
  await listener.close();
  expect(told).toEqual([false]);
});
