import type { FastifyRequest } from 'fastify';
import { clientAddress } from '../http/client-address.ts';
import { clientNetwork } from '../http/client-network.ts';
import type { Session } from './principals.ts';
import { cameOverTls, MOST_SESSIONS, sessionCookie, type SessionToken, sessionTokens } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import type { Entrance, SignedIn } from './sign-in.ts';

/** The sessions in a browser's cookie, one per workspace. */
export class BrowserSessions {
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** The client of a sign-in to a workspace, and the sessions that the new one replaces. */
  entrance(request: FastifyRequest, workspaceId: string): Entrance {
    const client = clientNetwork(clientAddress(request));
    return { workspaceId, client, replaces: this.#hashesOf(request, workspaceId) };
  }

  /** Ends the sessions of a workspace. On this machine there can be one that was begun over TLS, and one that was not. */
  async end(request: FastifyRequest, workspaceId: string): Promise<void> {
    await this.#sessions.endNow(workspaceId, this.#hashesOf(request, workspaceId));
  }

  /** The live sessions, in the order they started. */
  async living(request: FastifyRequest): Promise<Session[]> {
    return (await this.#living(request)).map(({ session }) => session);
  }

  /** The `Set-Cookie` header with the live sessions and a new one. Sessions that do not fit are ended. */
  async cookieWith(request: FastifyRequest, begun: SignedIn): Promise<string> {
    const { workspaceId } = begun.session;
    const others = (await this.#living(request)).filter((one) => one.workspaceId !== workspaceId);
    const kept = [...others, { workspaceId, ...begun }];
    for (const { session } of kept.splice(0, Math.max(0, kept.length - MOST_SESSIONS)))
      await this.#sessions.endNow(session.workspaceId, [session.sessionHash]);
    return buildCookie(request, kept);
  }

  /** The `Set-Cookie` header with the live sessions. */
  async cookie(request: FastifyRequest): Promise<string> {
    return buildCookie(request, await this.#living(request));
  }

  /** The keys of the sessions of a workspace that the cookies claim. */
  #hashesOf(request: FastifyRequest, workspaceId: string): string[] {
    const claimed = sessionTokens(request).filter((one) => one.workspaceId === workspaceId);
    return claimed.map(({ token }) => this.#sessions.hash(token));
  }

  async #living(request: FastifyRequest): Promise<(SignedIn & SessionToken)[]> {
    const found = new Map<string, SignedIn & SessionToken>();
    for (const { workspaceId, token } of sessionTokens(request)) {
      if (found.has(workspaceId)) continue;
      const session = await this.#sessions.find(workspaceId, this.#sessions.hash(token));
      if (session !== undefined) found.set(workspaceId, { workspaceId, token, session });
    }
    return [...found.values()];
  }
}

function buildCookie(request: FastifyRequest, kept: readonly (SignedIn & SessionToken)[]): string {
  const expiresAt = Math.max(...kept.map(({ session }) => session.expiresAt));
  return sessionCookie(kept, { secure: cameOverTls(request), expiresAt });
}
