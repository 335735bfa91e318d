import { expect, it } from 'vitest';
import { NotificationListener } from './notification-listener.ts';

it.each([
  ['nothing listens at its port', ''],
  ['a file of TLS is gone', '?sslrootcert=/is/not/there'],
])('says that no notifications come where it never could listen, since %s', async (_why, query) => {
  const told: boolean[] = [];
  const listener = new NotificationListener({
    url: `postgres://branchline@127.0.0.1:1/branchline${query}`,
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
