import type { FastifyRequest } from 'fastify';
import type { Handlers } from '../generated/handlers.ts';
import type { components } from '../generated/types.ts';
import { clientNetwork } from '../http/client-network.ts';
import { requireLiveWorkspace } from '../storage/live-workspace.ts';
import type { RateLimiter } from '../storage/rate-limiter.ts';
import type { Administration } from './administration.ts';
import { unauthorized } from './authenticate.ts';
import { refuseForeignPage } from './foreign-page.ts';
import { Guessing } from './guessing.ts';
import { Passwords } from './passwords.ts';
import type { Authenticated, Session } from './principals.ts';
import { cameOverTls, sessionCookie, type SessionToken, sessionTokens } from './session-cookie.ts';
import { type LinkRefusal, SignIn, type SignedIn } from './sign-in.ts';
import { asksFor } from './sign-in-links.ts';
import { FULL } from './user-handlers.ts';
import { isWorkspaceId } from './workspaces.ts';

const GONE =
  'This sign-in link does not work any more. Ask an admin of the workspace for another one, or make one with `branchline user invite`.';

type Operation = 'checkSignInLink' | 'createSession' | 'listSessions' | 'getSession' | 'endSession';

export interface SessionDependencies {
  administration: Administration;
  limiter: RateLimiter;
}

/** The operations with which people sign in and out. */
export function sessionHandlers({
  administration,
  limiter,
}: SessionDependencies): Pick<Handlers<Authenticated>, Operation> {
  const { sessions, storage } = administration;
  const signIn = new SignIn({ ...administration, passwords: new Passwords(), guessing: new Guessing(limiter) });

  /** The sessions of a request's cookie that live, one for each workspace, in the order in which they began. */
  async function living(request: FastifyRequest): Promise<(SignedIn & SessionToken)[]> {
    const found = new Map<string, SignedIn & SessionToken>();
    for (const { workspaceId, token } of sessionTokens(request)) {
      if (found.has(workspaceId)) continue;
      const session = await sessions.find(workspaceId, sessions.hashOf(token));
      if (session !== undefined) found.set(workspaceId, { workspaceId, token, session });
    }
    return [...found.values()];
  }

  return {
    async checkSignInLink({ params, body, raw }) {
      refuseForeignPage(raw);
      const entrance = { workspaceId: knownForm(params.workspaceId), client: clientNetwork(raw.ip) };
      const link = await signIn.findLink(entrance, body.token);
      if (link === undefined) return { status: 410, body: { error: GONE } };
      const { person, expiresAt } = link;
      return {
        status: 200,
        body: { email: person?.email ?? null, asksFor: asksFor(link), expiresDate: new Date(expiresAt).toISOString() },
      };
    },

    async createSession({ params, body, raw }) {
      refuseForeignPage(raw);
      const workspaceId = knownForm(params.workspaceId);
      const before = sessionTokens(raw).filter((one) => one.workspaceId === workspaceId);
      const replaces = before.map(({ token }) => sessions.hashOf(token));
      const entrance = { workspaceId, client: clientNetwork(raw.ip), replaces };
      const entered =
        'token' in body
          ? await signIn.withLink(entrance, body.token, body)
          : await signIn.withPassword(entrance, body.email, body.password);
      if (entered === undefined) throw unauthorized('session');
      if (typeof entered === 'string' || 'lacks' in entered) return refusal(entered, body.email);
      const others = (await living(raw)).filter((one) => one.workspaceId !== workspaceId);
      const cookie = cookieOf(raw, [...others, { workspaceId, ...entered }]);
      return { status: 201, headers: { 'Set-Cookie': cookie }, body: sessionView(entered.session) };
    },

    async listSessions({ raw, principals: { session } }) {
      const all = (await living(raw)).map((one) => one.session);
      // It was there when the request was authenticated, and may have ended since.
      return { status: 200, body: { sessions: (all.length === 0 ? [session] : all).map(sessionView) } };
    },

    getSession: ({ principals: { session } }) => ({ status: 200, body: sessionView(session) }),

    async endSession({ raw, principals: { session } }) {
      await storage.write(async (tx) => {
        await requireLiveWorkspace(tx, session.workspaceId);
        await sessions.end(tx, session);
      });
      return { status: 204, headers: { 'Set-Cookie': cookieOf(raw, await living(raw)) } };
    },
  };
}

/** What can be no workspace's id is looked up as the empty one: that takes as long as any other. */
function knownForm(workspaceId: string): string {
  return isWorkspaceId(workspaceId) ? workspaceId : '';
}

function cookieOf(request: FastifyRequest, kept: readonly (SignedIn & SessionToken)[]): string {
  const expiresAt = Math.max(...kept.map(({ session }) => session.expiresAt));
  return sessionCookie(kept, { secure: cameOverTls(request), expiresAt });
}

function refusal(reason: LinkRefusal, email = '') {
  if (reason === 'gone') return { status: 410 as const, body: { error: GONE } };
  if (reason === 'full') return { status: 409 as const, body: { error: FULL } };
  if (reason === 'known') {
    const error = `${email} belongs to this workspace already. Give another e-mail, or ask for a sign-in link of your own.`;
    return { status: 409 as const, body: { error } };
  }
  const error = `This sign-in link also takes ${reason.lacks.map((name) => ASKED[name]).join(' and ')}.`;
  return { status: 400 as const, body: { error } };
}

const ASKED = { email: 'your e-mail', password: 'a password that you choose, of 12 to 256 characters' };

function sessionView({ workspaceId, userId, email, role, expiresAt }: Session): components['schemas']['Session'] {
  return { workspaceId, userId, email, role, expiresDate: new Date(expiresAt).toISOString() };
}
