import type { FastifyRequest } from 'fastify';
import type { Handlers } from '../../generated/handlers.ts';
import { clientAddress } from '../../http/client-address.ts';
import { clientNetwork } from '../../http/client-network.ts';
import { HttpError } from '../../http/http-error.ts';
import type { BrowserSessions } from '../browser-sessions.ts';
import { refuseForeignPage } from '../foreign-page.ts';
import type { Guessing } from '../guessing.ts';
import type { Authenticated } from '../principals.ts';
import { sessionView } from '../session-view.ts';
import type { SignIn } from '../sign-in.ts';
import { isWorkspaceId } from '../workspaces.ts';
import type { NotAdmitted } from './bound-users.ts';
import type { Identity } from './identity.ts';
import type { OidcProvider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

/** The path that the provider sends browsers back to. */
const CALLBACK_PATH = '/sign-in/oidc';

const NO_PROVIDER = 'This server has no OIDC provider. Sign in with a password or a sign-in link.';

const NO_WORKSPACE = 'This can be no workspace: its id is 1 to 63 lowercase letters, digits and hyphens.';

const OVER =
  'This sign-in was begun in another browser or more than 10 minutes ago, or is over already. Sign in again.';

const NO_ANSWER =
  'The callbackQuery is no answer of the sign-in provider: it must be as the browser was sent back with. Sign in again.';

const FAILED =
  "The sign-in provider can't be used now. Try again in a moment, or sign in with a password or a sign-in link; the log of this server says why.";

const DENIED = 'The provider says that the sign-in was not agreed to. Sign in again, or in another way.';

const UNUSABLE =
  'The provider gives an e-mail that no account here can have: it is no e-mail address, or has signs that are spelled in an unusual way. Have it corrected there, or sign in with a password or a sign-in link.';

type Operation = 'getSignInWays' | 'beginOidcSignIn' | 'finishOidcSignIn';

export interface OidcDependencies {
  /** undefined: not configured. */
  provider: OidcProvider | undefined;
  attempts: SignInAttempts;
  signIn: SignIn;
  browserSessions: BrowserSessions;
  guessing: Guessing;
  /** The origin of the web application. Known once the server listens. */
  webOrigin: () => string;
}

/** The operations for signing in at the OIDC provider. */
export function oidcHandlers(dependencies: OidcDependencies): Pick<Handlers<Authenticated>, Operation> {
  const { provider, attempts, signIn, browserSessions, guessing, webOrigin } = dependencies;

  /** The redirect URI, built from the settings, never from the request. */
  const callback = (): URL => new URL(CALLBACK_PATH, webOrigin());

  /** @returns undefined if the provider can't be used; the log says why */
  async function asked<Found>({ log }: FastifyRequest, asking: Promise<Found>): Promise<Found | undefined> {
    try {
      return await asking;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      log.warn({ provider: provider?.host, reason: error.message }, 'the OIDC provider could not be used');
      return undefined;
    }
  }

  return {
    getSignInWays: () => ({ status: 200, body: { oidcProvider: provider?.host ?? null } }),

    async beginOidcSignIn({ params, raw }) {
      refuseForeignPage(raw);
      requirePossible(params.workspaceId);
      if (provider === undefined) return { status: 404, body: { error: NO_PROVIDER } };
      const { origin } = callback();
      if (raw.headers.origin !== undefined && raw.headers.origin !== origin)
        return { status: 409, body: elsewhere(origin) };
      await guessing.slowOidc(clientNetwork(clientAddress(raw)));
      const attempt = attempts.begin(params.workspaceId, provider.issuer);
      const authorizationUrl = await asked(raw, provider.authorizationUrl(attempt, callback().href));
      if (authorizationUrl === undefined) return { status: 502, body: { error: FAILED } };
      return { status: 201, headers: { 'Set-Cookie': attempts.toCookie(attempt, raw) }, body: { authorizationUrl } };
    },

    async finishOidcSignIn({ params: { workspaceId }, body, raw }) {
      refuseForeignPage(raw);
      requirePossible(workspaceId);
      if (provider === undefined) return { status: 404, body: { error: NO_PROVIDER } };
      const entrance = browserSessions.entrance(raw, workspaceId);
      await guessing.slowOidc(entrance.client);
      const url = callback();
      url.search = body.callbackQuery;
      const { issuer } = provider;
      const attempt = attempts.find(raw, { workspaceId, state: url.searchParams.get('state'), issuer });
      if (attempt === undefined) return { status: 410, body: { error: OVER } };
      if (!isAnswer(url.searchParams, issuer)) return { status: 400, body: { error: NO_ANSWER } };
      const identity = await asked(raw, provider.identify(url, attempt, entrance.client));
      if (identity === undefined) return { status: 502, body: { error: FAILED } };
      if (identity === 'over') return { status: 410, body: { error: OVER } };
      if (identity === 'denied') return { status: 403, body: { error: DENIED } };
      const entered = await signIn.withIdentity(entrance, identity, attempt.state);
      if (entered === 'over') return { status: 410, body: { error: OVER } };
      if (typeof entered === 'string') return { status: 403, body: refusal(entered, identity, workspaceId) };
      const cookies = [await browserSessions.cookieWith(raw, entered), attempts.endCookie(raw)];
      return { status: 201, headers: { 'Set-Cookie': cookies }, body: sessionView(entered.session) };
    },
  };
}

/**
 * Whether a provider can have sent a browser back with this: with one code, or one error, and with no issuer but itself (RFC 6749,
 * 4.1.2; RFC 9207). Anything else is the browser's doing, and says nothing about the provider.
 */
function isAnswer(query: URLSearchParams, issuer: string): boolean {
  const outcomes = [...query.getAll('code'), ...query.getAll('error')];
  const others = ['response', 'id_token', 'access_token'].filter((name) => query.has(name));
  const isOne = outcomes.length === 1 && query.getAll('state').length === 1;
  return isOne && others.length === 0 && query.getAll('iss').every((named) => named === issuer);
}

function requirePossible(workspaceId: string): void {
  if (!isWorkspaceId(workspaceId)) throw new HttpError(404, NO_WORKSPACE);
}

function elsewhere(origin: string) {
  return { error: `The provider sends browsers back to ${origin}. Open the page there, and sign in again.` };
}

function refusal(reason: NotAdmitted, { verifiedEmail }: Identity, workspaceId: string) {
  switch (reason) {
    case 'unverified':
      return { error: 'The provider does not say that your e-mail is verified. Verify it there, then sign in again.' };
    case 'unusableEmail':
      return { error: UNUSABLE };
    case 'notInvited':
      return {
        error: `${verifiedEmail} has not been invited to the workspace ${workspaceId}, or there is no such workspace. Ask one of its admins.`,
      };
    case 'boundToAnother':
      return {
        error: `${verifiedEmail} is bound to another identity of the provider. An admin of the workspace can remove and invite you again.`,
      };
  }
}
