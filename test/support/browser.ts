import { parseSetCookie } from 'cookie';
import type { Answer, TestServer } from './server.ts';

/** What a browser on the server's own pages keeps and sends along. */
export class Browser {
  /** As it is sent: `branchline-session=…`. */
  cookie: string | undefined;
  readonly #server: TestServer;
  readonly #headers: Record<string, string>;

  constructor(server: TestServer, { cookie, ...headers }: Record<string, string> = {}) {
    this.#server = server;
    this.#headers = { 'sec-fetch-site': 'same-origin', ...headers };
    this.cookie = cookie;
  }

  async call(method: string, path: string, json?: unknown): Promise<Answer> {
    const answer = await this.#server.call({
      method,
      path,
      as: null,
      headers: { ...this.#headers, ...(this.cookie === undefined ? {} : { cookie: this.cookie }) },
      ...(json === undefined ? {} : { json }),
    });
    for (const header of answer.headers['set-cookie'] ?? []) {
      const { name, value = '', expires } = parseSetCookie(header);
      this.cookie = expires !== undefined && expires.getTime() === 0 ? undefined : `${name}=${value}`;
    }
    return answer;
  }

  signIn(json: unknown, workspaceId = this.#server.workspaceId): Promise<Answer> {
    return this.call('POST', `/workspaces/${workspaceId}/sessions/v1`, json);
  }

  /** Whether it is signed in to the workspace: who, or the status that says no. */
  async whoAmI(workspaceId = this.#server.workspaceId): Promise<unknown> {
    const { status, json } = await this.call('GET', `/workspaces/${workspaceId}/sessions/current/v1`);
    return status === 200 ? json() : status;
  }
}

/** The token of a sign-in link, as the page takes it out of the URL. */
export function tokenOf(signInUrl: string): string {
  return /^https:\/\/web\.example\/sign-in#[a-z0-9-]+\.([\w-]{43})$/.exec(signInUrl)?.[1] ?? '';
}
