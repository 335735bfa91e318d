import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { Problem, succeed } from '../client/problem.ts';
import { beginSession } from '../client/sessions.ts';
import { rememberWorkspace } from './remembered-workspace.ts';

/**
 * Starts a session, which the answer's cookie proves.
 *
 * @throws Problem if it is refused
 */
export async function signIn(workspaceId: string, body: components['schemas']['SignInRequest']): Promise<void> {
  const answer = await succeed(api.createSession({ params: { workspaceId }, body })).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 401 ? new Problem(REFUSED, error) : error;
  });
  rememberWorkspace(workspaceId);
  beginSession(answer.body);
}

/**
 * Starts a session for the user authenticated by the OIDC provider.
 *
 * @param callbackQuery the query string with which the provider sent the browser back
 * @throws Problem if it is refused
 */
export async function finishOidcSignIn(workspaceId: string, callbackQuery: string): Promise<void> {
  const { body } = await succeed(api.finishOidcSignIn({ params: { workspaceId }, body: { callbackQuery } }));
  rememberWorkspace(workspaceId);
  beginSession(body);
}

const REFUSED = 'E-mail, password and workspace do not match. Check all three, or ask an admin for a new sign-in link.';
