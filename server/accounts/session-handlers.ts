import type { Handlers } from '../generated/handlers.ts';
import type { Preparations } from '../http/reading-places.ts';
import type { RateLimiter } from '../storage/rate-limiter.ts';
import type { Administration } from './administration.ts';
import { unauthorized } from './refusals.ts';
import { BrowserSessions } from './browser-sessions.ts';
import { refuseForeignPage } from './foreign-page.ts';
import { Guessing } from './guessing.ts';
import { BoundUsers } from './oidc/bound-users.ts';
import { oidcHandlers } from './oidc/handlers.ts';
import { OidcProvider } from './oidc/provider.ts';
import type { OidcSettings } from './oidc/settings.ts';
import { SignInAttempts } from './oidc/sign-in-attempts.ts';
import { Passwords } from './passwords.ts';
import type { Authenticated } from './principals.ts';
import { sessionView } from './session-view.ts';
import { type LinkRefusal, SignIn } from './sign-in.ts';
import { asksFor } from './sign-in-links.ts';
import { FULL } from './user-handlers.ts';
import { isWorkspaceId } from './workspaces.ts';

const GONE =
  "This sign-in link does not work: it was used already, has run out, or isn't whole. Ask an admin of the workspace for another one; whoever runs the server makes one with `branchline user link`, or for who is new with `branchline user invite`.";

type Operation =
  | 'checkSignInLink'
  | 'createSession'
  | 'listSessions'
  | 'getSession'
  | 'endSession'
  | 'getSignInWays'
  | 'beginOidcSignIn'
  | 'finishOidcSignIn';

export interface SessionDependencies {
  administration: Administration;
  limiter: RateLimiter;
  /** The OIDC provider; undefined: not configured. */
  oidc: OidcSettings | undefined;
  /** The origin of the web application. Known once the server listens. */
  webOrigin: () => string;
  /** Left out: new ones, with their usual bounds. */
  passwords?: Passwords | undefined;
}

/** Finds the sessions of a browser before their list does: to find one that was not used for an hour is to write that it is used. */
export function sessionPreparations({ sessions }: Pick<Administration, 'sessions'>): Preparations {
  const browserSessions = new BrowserSessions(sessions);
  return { listSessions: (_workspaceId, request) => browserSessions.living(request) };
}

/** The operations for signing in and out. */
export function sessionHandlers({
  administration,
  limiter,
  oidc,
  webOrigin,
  passwords = new Passwords(),
}: SessionDependencies): Pick<Handlers<Authenticated>, Operation> {
  const { sessions, clock } = administration;
  const browserSessions = new BrowserSessions(sessions);
  const guessing = new Guessing(limiter);
  const boundUsers = new BoundUsers(administration);
  const signIn = new SignIn({ ...administration, passwords, guessing, boundUsers });
  const provider = oidc && new OidcProvider({ settings: oidc, clock });
  const attempts = new SignInAttempts(administration);

  return {
    ...oidcHandlers({ provider, attempts, signIn, browserSessions, guessing, webOrigin }),

    async checkSignInLink({ params, body, raw }) {
      refuseForeignPage(raw);
      const link = await signIn.findLink(knownForm(params.workspaceId), body.token);
      if (link === undefined) return { status: 410, body: { error: GONE } };
      const { person, expiresAt } = link;
      return {
        status: 200,
        body: { email: person?.email ?? null, asksFor: asksFor(link), expiresDate: new Date(expiresAt).toISOString() },
      };
    },

    async createSession({ params, body, raw }) {
      refuseForeignPage(raw);
      const entrance = browserSessions.entrance(raw, knownForm(params.workspaceId));
      const entered =
        'token' in body
          ? await signIn.withLink(entrance, body.token, body)
          : await signIn.withPassword(entrance, body.email, body.password);
      if (entered === undefined) throw unauthorized('session');
      if (typeof entered === 'string' || 'lacks' in entered) return refusal(entered, body.email);
      const cookie = await browserSessions.cookieWith(raw, entered);
      return { status: 201, headers: { 'Set-Cookie': cookie }, body: sessionView(entered.session) };
    },

    async listSessions({ raw, principals: { session } }) {
      const all = await browserSessions.living(raw);
      // The session existed during authentication, but may have ended since.
      return { status: 200, body: { sessions: (all.length === 0 ? [session] : all).map(sessionView) } };
    },

    getSession: ({ principals: { session } }) => ({ status: 200, body: sessionView(session) }),

    async endSession({ raw, principals: { session } }) {
      await browserSessions.end(raw, session.workspaceId);
      return { status: 204, headers: { 'Set-Cookie': await browserSessions.cookie(raw) } };
    },
  };
}

/** Impossible workspace ids are looked up as the empty one, which takes as long as any other. */
function knownForm(workspaceId: string): string {
  return isWorkspaceId(workspaceId) ? workspaceId : '';
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
