import { gzipSync } from 'node:zlib';
import { correct, toBytes } from '../service/behaviour.ts';
import type { Difference } from '../fault.ts';
import { hashTag, revalidates } from '../faults/clients.ts';

/** What HTTP lets a service do for clients that ask for it. */
export const clients: readonly Difference[] = [
  {
    name: 'not-changed',
    does: 'answers 304 to whoever has the export as it is',
    change: () => revalidates(hashTag),
  },
  {
    name: 'packed-if-taken',
    does: 'packs bodies for clients that take it, and says so',
    change: () => ({
      reply: (reply, { headers }) =>
        /gzip/.test(headers['accept-encoding'] ?? '')
          ? {
              ...reply,
              headers: { ...reply.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
              body: gzipSync(toBytes(reply.body)),
            }
          : reply,
    }),
  },
  {
    name: 'length-required',
    does: 'wants to know the length of a body',
    change: () => ({
      deliver: (reply, response, call) =>
        correct.deliver(
          call.operation === 'create' && call.headers['content-length'] === undefined
            ? { ...reply, status: 411, headers: {}, body: '' }
            : reply,
          response,
          call,
        ),
    }),
  },
  {
    name: 'idle-for-a-second',
    does: 'closes connections that are idle for longer than a second',
    change: () => ({
      deliver: (reply, response, call) => {
        response.socket?.setTimeout(1_000, () => response.socket?.destroy());
        correct.deliver(reply, response, call);
      },
    }),
  },
];
