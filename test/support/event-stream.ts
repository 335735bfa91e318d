import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { EventStream } from '../../console/src/client/generated/events.ts';
import type { components } from '../../server/generated/types.ts';
import { eventReport } from './batch.ts';

type LiveEvent = components['schemas']['LiveEvent'];

/** A stream of live batches, as a client reads it. */
export interface LiveStream {
  status: number;
  headers: IncomingHttpHeaders;
  /** Waits for the next event; undefined: the stream has ended. Nothing is read before it is called. */
  next: () => Promise<LiveEvent | undefined>;
  lastEventId: () => string;
  /** Reads on until the server ends it, or breaks it off. */
  ended: () => Promise<'whole' | 'broken'>;
  close: () => void;
}

/** @param query of the path, from its `?` on */
export async function watch(
  origin: string,
  workspaceId: string,
  headers: Record<string, string>,
  query = '',
): Promise<LiveStream> {
  const request = get(`${origin}/workspaces/${workspaceId}/inspector/live/v1${query}`, { headers, agent: false });
  request.on('error', () => {});
  const [incoming]: IncomingMessage[] = await once(request, 'response');
  if (incoming === undefined) throw new Error('There was no response.');
  const chunks = Readable.toWeb(incoming, { strategy: { highWaterMark: 0 } }) as ReadableStream<Uint8Array>;
  const stream = new EventStream<LiveEvent>(chunks, (data) => JSON.parse(data));
  const events = stream[Symbol.asyncIterator]();
  const next = async () => (await events.next()).value?.data;
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    next,
    lastEventId: () => stream.lastEventId,
    ended: async () => {
      try {
        while ((await next()) !== undefined);
        return 'whole';
      } catch {
        return 'broken';
      }
    },
    close: () => request.destroy(),
  };
}

/** Events of which a batch is told in almost as much as there may be. */
export function longEvents(): object[] {
  return Array.from({ length: 20 }, (_, n) => ({
    ...eventReport(`${n}-${'x'.repeat(96)}`, []),
    ...(n < 10 && { [`unknown-${'€'.repeat(300)}`]: 1 }),
  }));
}

/** The next batch; what is missing before it is passed over. */
export async function nextBatch({ next }: LiveStream) {
  for (let event = await next(); event !== undefined; event = await next()) if (event.type === 'batch') return event;
  throw new Error('The stream has ended.');
}
