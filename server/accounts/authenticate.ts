import { takeTurn } from '@branchline/runtime';
import type { FastifyRequest } from 'fastify';
import type { SecurityHandlers } from '../generated/handlers.ts';
import { HttpError } from '../http/http-error.ts';
import { requirePrincipals } from '../http/operation.ts';
import { UNKNOWN, workFor } from '../storage/holder.ts';
import type { ApiKeys } from './api-keys.ts';
import { parseBasicCredentials } from './basic-credentials.ts';
import type { CredentialUse } from './credential-use.ts';
import { refuseForeignPage } from './foreign-page.ts';
import type { Authenticated, Scope, ServiceAccount } from './principals.ts';
import { basicText, type ProvenCredentials } from './proven-credentials.ts';
import { requireRole, unauthorized } from './refusals.ts';
import type { ServiceAccounts } from './service-accounts.ts';
import { sessionTokens } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import { isWorkspaceId } from './workspaces.ts';

/** Who proves who they are, by the contract's security schemes. */
export interface Authorities {
  accounts: ServiceAccounts;
  keys: ApiKeys;
  sessions: Sessions;
}

/**
 * Authentication for the contract's security schemes. Whatever is wrong with the credentials, and also when the workspace is
 * another's or there is none, the answer is the same 401, so that no account learns what exists. Every request with right ones
 * counts as a use of them, rate limited, forbidden or not.
 */
export function securityHandlers(
  { accounts, keys, sessions }: Authorities,
  proven: ProvenCredentials,
  use: Pick<CredentialUse, 'countRequest' | 'countKeyRequest'>,
): SecurityHandlers<Authenticated> {
  const lookUp = lookUps(proven);
  /** Why the `authorization` header of a request was refused. */
  const refusals = new WeakMap<FastifyRequest, unknown>();

  async function requireAccount(request: FastifyRequest, scopes: readonly string[]): Promise<ServiceAccount> {
    const header = singleHeader(request, 'authorization') ?? '';
    const credentials = parseBasicCredentials(header);
    const account =
      credentials &&
      (await lookUp(request, basicText(header), () =>
        accounts.authenticate(readWorkspaceId(request), credentials.name, credentials.secret),
      ));
    if (account === undefined) throw unauthorized(isOfPage(request) ? 'session' : 'serviceAccount');
    // Before the scopes are looked at: an account whose requests are all forbidden must not seem to be unused.
    use.countRequest(account);
    requireScopes(account.scopes, scopes);
    return account;
  }

  return {
    async serviceAccount(request, scopes) {
      try {
        return await requireAccount(request, scopes);
      } catch (refusal) {
        if (request.headers.authorization !== undefined) refusals.set(request, refusal);
        throw refusal;
      }
    },

    async apiKey(request) {
      const text = singleHeader(request, 'api-key');
      const key = text === undefined ? undefined : await lookUp(request, text, () => keys.authenticate(text));
      if (key === undefined) throw unauthorized('apiKey');
      use.countKeyRequest(key);
      return key;
    },

    async session(request, [least]) {
      // Branch Management HTTP API, Authentication: an invalid `authorization` header is 401, whatever cookie comes with it.
      if (refusals.has(request)) throw refusals.get(request);
      const claimed = sessionTokens(request);
      // Where the path names no workspace, any session will do.
      const tried = namesWorkspace(request)
        ? claimed.filter(({ workspaceId }) => workspaceId === readWorkspaceId(request))
        : claimed;
      for (const { workspaceId, token } of tried) {
        const hash = sessions.hash(token);
        const session = await lookUp(request, token, () => sessions.find(workspaceId, hash));
        if (session === undefined) continue;
        refuseForeignPage(request);
        if (least !== undefined) requireRole(session.role, least);
        return session;
      }
      throw unauthorized('session');
    },
  };
}

/**
 * Look-ups of credentials, which count for a workspace if they were right for it before; all others count as one. So whoever
 * guesses, however often and under whatever names, holds up nobody who is known.
 */
function lookUps(proven: ProvenCredentials) {
  return async <Found extends { workspaceId: string }>(
    { raw: { socket } }: FastifyRequest,
    credential: string,
    look: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    const workspaceId = proven.find(credential)?.workspaceId;
    const found = await workFor(
      workspaceId === undefined ? UNKNOWN : `#known ${workspaceId}`,
      look,
      () => socket.writable,
    );
    if (found?.workspaceId !== workspaceId) proven.learn(credential, found?.workspaceId);
    // Answers of a database come many at once; that each is refused in a turn of its own keeps others from waiting for all.
    if (found === undefined) await takeTurn('#refused');
    return found;
  };
}

/** The answer to a request whose workspace was deleted after it was authenticated: the same as to unknown credentials. */
export function unauthorizedAgain(request: FastifyRequest): HttpError {
  const { apiKey, session } = requirePrincipals(request);
  return unauthorized(apiKey !== undefined ? 'apiKey' : session !== undefined ? 'session' : 'serviceAccount');
}

/**
 * Whether a page's script sent it: to `Basic` a browser would put a dialog of its own over the page. Over plain HTTP from another
 * machine browsers leave `Sec-Fetch-Site` out, but not the cookie of a session that has ended.
 */
function isOfPage(request: FastifyRequest): boolean {
  const { authorization, 'sec-fetch-site': site } = request.headers;
  return authorization === undefined && (site !== undefined || sessionTokens(request).length > 0);
}

/** Node keeps the first of several `authorization` headers and drops the rest; whoever sends two is refused instead. */
function singleHeader(request: FastifyRequest, name: string): string | undefined {
  const occurrences = request.raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  const value = request.headers[name];
  return occurrences.length === 1 && typeof value === 'string' ? value : undefined;
}

function namesWorkspace({ params }: FastifyRequest): boolean {
  return typeof params === 'object' && params !== null && 'workspaceId' in params;
}

/** What can be no workspace's id is looked up as the empty one: that takes as long as any other, whatever a path holds. */
function readWorkspaceId({ params }: FastifyRequest): string {
  const workspaceId: unknown =
    typeof params === 'object' && params !== null && 'workspaceId' in params ? params.workspaceId : '';
  return typeof workspaceId === 'string' && isWorkspaceId(workspaceId) ? workspaceId : '';
}

function requireScopes(held: readonly Scope[], needed: readonly string[]): void {
  const missing = needed.filter((scope) => !held.some((one) => one === scope));
  if (missing.length > 0) throw new HttpError(403, `This service account lacks the scope ${missing.join(', ')}.`);
}
