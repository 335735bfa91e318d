import type { FastifyRequest } from 'fastify';
import type { Handlers } from '../generated/handlers.ts';
import { operations } from '../generated/operations.ts';
import type { Authenticated } from '../accounts/principals.ts';
import { FairShare } from '../storage/fair-share.ts';
import { NotTaken } from '../storage/group-commit.ts';
import { NotWanted } from '../storage/holder.ts';
import { requirePrincipals, requireWorkspaceId } from './operation.ts';

/** A report holds up to some 8 MiB between two turns of the event loop, so all of them together 64 MiB. */
const AT_ONCE = 8;

/** A waiting request holds some 10 KiB, since nothing was read for it yet. */
const MOST_WAITING = 500;

const WAIT_MS = 10_000;

/** Authenticated operations that answer with JSON from the database. Exports and streams have bounds of their own. */
const READINGS: ReadonlySet<string> = new Set(
  operations
    .filter(({ method, security }) => method === 'GET' && security.length > 0)
    .filter(({ responses }) => responses.some(({ status, media }) => status === '200' && isJson(media)))
    .map(({ id }) => id),
);

function isJson(media: readonly string[] | undefined): boolean {
  return media?.includes('application/json') === true;
}

type Handle = (input: { raw: FastifyRequest }) => unknown;

/**
 * Lets a bounded number of lists and reports read at once, so that what they hold is bounded too. The others wait before they
 * have read anything; workspaces take turns, and so do the accounts and people of each. A request whose client leaves stops waiting.
 *
 * Each throws NotTaken if too many are waiting, or it would wait too long.
 */
export function boundReadings(handlers: Handlers<Authenticated>): Handlers<Authenticated> {
  const places = new FairShare({ total: AT_ONCE, mostWaiting: MOST_WAITING });
  const bounded = (handle: Handle): Handle => {
    return async (input) => {
      const leave = await takePlace(places, input.raw);
      try {
        return await handle(input);
      } finally {
        leave();
      }
    };
  };
  const entries = Object.entries(handlers).map(([id, handle]) => [id, READINGS.has(id) ? bounded(handle) : handle]);
  return Object.fromEntries(entries);
}

async function takePlace(places: FairShare, request: FastifyRequest) {
  const { socket } = request.raw;
  const clientLeft = new AbortController();
  const stopWaiting = () => clientLeft.abort();
  socket.once('close', stopWaiting);
  try {
    const { serviceAccount, session } = requirePrincipals(request);
    const leave = await places.take(requireWorkspaceId(request), {
      parts: [serviceAccount?.accountId ?? session?.userId ?? ''],
      waitMs: WAIT_MS,
      signal: clientLeft.signal,
    });
    if (leave !== undefined) return leave;
  } finally {
    socket.off('close', stopWaiting);
  }
  if (clientLeft.signal.aborted) throw new NotWanted('The client has gone.');
  throw new NotTaken('The service has more to read than it can now. Try again in a moment.');
}
