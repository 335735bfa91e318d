import type { FastifyRequest } from 'fastify';
import { NotWanted } from '../storage/holder.ts';

/**
 * Waits for something as long as the client does.
 *
 * @param wait resolves with undefined where it is not given, or its signal is aborted
 * @throws NotWanted when the client has gone
 */
export async function waitWhileWanted<Result>(
  { raw: { socket } }: FastifyRequest,
  wait: (signal: AbortSignal) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const clientLeft = new AbortController();
  const stopWaiting = (): void => clientLeft.abort();
  if (socket.destroyed) throw new NotWanted('The client has gone.');
  socket.once('close', stopWaiting);
  try {
    const result = await wait(clientLeft.signal);
    if (result === undefined && clientLeft.signal.aborted) throw new NotWanted('The client has gone.');
    return result;
  } finally {
    socket.off('close', stopWaiting);
  }
}
