import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { Problem, succeed } from '../client/problem.ts';
import { beginSession } from '../client/sessions.ts';
import { rememberWorkspace } from './remembered-workspace.ts';

/**
 * Begins a session; the answer's cookie proves it from now on.
 *
 * @throws Problem where it was refused
 */
export async function signIn(workspaceId: string, body: components['schemas']['SignInRequest']): Promise<void> {
  const answer = await succeed(api.createSession({ params: { workspaceId }, body })).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 401 ? new Problem(REFUSED, error) : error;
  });
  rememberWorkspace(workspaceId);
  beginSession(answer.body);
}

/**
 * Begins a session for whom the OIDC provider has authenticated.
 *
 * @param callbackQuery with which the provider sent the browser back
 * @throws Problem where it was refused
 */
export async function finishOidcSignIn(workspaceId: string, callbackQuery: string): Promise<void> {
  const { body } = await succeed(api.finishOidcSignIn({ params: { workspaceId }, body: { callbackQuery } }));
  rememberWorkspace(workspaceId);
  beginSession(body);
}

const REFUSED =
  'This e-mail and password do not fit this workspace. Check all three, or ask an admin for a new sign-in link.';
