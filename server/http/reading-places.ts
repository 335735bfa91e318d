import type { FastifyRequest } from 'fastify';
import type { Handlers } from '../generated/handlers.ts';
import { operations } from '../generated/operations.ts';
import type { Authenticated } from '../accounts/principals.ts';
import { FairShare } from '@branchline/runtime';
import { NotTaken } from '../storage/group-commit.ts';
import { requireWanted, workHolding } from '../storage/holder.ts';
import { waitWhileWanted } from './client-left.ts';
import { requirePrincipals, requireWorkspaceId } from './operation.ts';
import { wrapHandlers } from './wrapped-handlers.ts';

/** A report holds up to some 8 MiB between two turns of the event loop, so all of them together 64 MiB. */
const AT_ONCE = 8;

/** A waiting request holds some 10 KiB, since nothing was read for it yet. So many may prepare, and so many wait for a place. */
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

/** What operations write before they read, such as counts that are pending; for the workspace that the request is of. */
export type Preparations = Partial<
  Record<keyof Handlers<Authenticated>, (workspaceId: string, request: FastifyRequest) => Promise<unknown>>
>;

/**
 * Lets a bounded number of lists and reports read at once, so that what they hold is bounded too. The others wait before they
 * have read anything; workspaces take turns, and so do the accounts and people of each. A request whose client leaves stops waiting.
 * What is to be written first is prepared before a place is taken: it waits for the writes of its workspace, and readers must not.
 *
 * Each throws NotTaken if too many are preparing or waiting, or it would wait too long.
 */
export function boundReadings(handlers: Handlers<Authenticated>, preparations: Preparations): Handlers<Authenticated> {
  const places = new FairShare({ total: AT_ONCE, mostWaiting: MOST_WAITING });
  const preparing = new FairShare({ total: MOST_WAITING });
  const prepared = new Map(Object.entries(preparations));
  return wrapHandlers(handlers, READINGS, (handle, id) => {
    const prepare = prepared.get(id);
    return async (input) => {
      if (prepare !== undefined) await prepareIn(preparing, input.raw, prepare);
      const leave = await takePlace(places, input.raw);
      try {
        return await workHolding(() => handle(input));
      } finally {
        leave();
      }
    };
  });
}

/** What is prepared goes on when the client leaves, since others may wait for the same; the request ends after it. */
async function prepareIn(
  preparing: FairShare,
  request: FastifyRequest,
  prepare: NonNullable<Preparations[keyof Preparations]>,
): Promise<void> {
  const workspaceId = requireWorkspaceId(request);
  const leave = preparing.tryTake(workspaceId);
  if (leave === undefined) throw tooMuch();
  try {
    await prepare(workspaceId, request);
  } finally {
    leave();
  }
  requireWanted();
}

async function takePlace(places: FairShare, request: FastifyRequest) {
  const { serviceAccount, session } = requirePrincipals(request);
  const leave = await waitWhileWanted(request, (signal) =>
    places.take(requireWorkspaceId(request), {
      parts: [serviceAccount?.accountId ?? session?.userId ?? ''],
      waitMs: WAIT_MS,
      signal,
    }),
  );
  if (leave === undefined) throw tooMuch();
  return leave;
}

function tooMuch(): NotTaken {
  return new NotTaken('The service has more to read than it can now. Try again in a moment.');
}
