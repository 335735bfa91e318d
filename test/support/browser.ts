import { parseSetCookie } from 'cookie';
import type { TestProvider } from './oidc-provider.ts';
import type { Answer, TestServer } from './server.ts';

/** What a browser on the server's own pages keeps and sends along. */
export class Browser {
  readonly #server: TestServer;
  readonly #headers: Record<string, string>;
  #cookies: { name: string; value: string }[];

  constructor(server: TestServer, { cookie, ...headers }: Record<string, string> = {}) {
    this.#server = server;
    this.#headers = { 'sec-fetch-site': 'same-origin', ...headers };
    const given = cookie?.matchAll(/([^=]+)=([^;]*)(?:; )?/g) ?? [];
    this.#cookies = [...given].map(([, name = '', value = '']) => ({ name, value }));
  }

  /** As it is sent: `branchline-session=…`. */
  get cookie(): string | undefined {
    if (this.#cookies.length === 0) return undefined;
    return this.#cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  async call(method: string, path: string, json?: unknown): Promise<Answer> {
    const { cookie } = this;
    const answer = await this.#server.call({
      method,
      path,
      as: null,
      headers: { ...this.#headers, ...(cookie === undefined ? {} : { cookie }) },
      ...(json === undefined ? {} : { json }),
    });
    for (const header of answer.headers['set-cookie'] ?? []) {
      const { name, value = '', expires } = parseSetCookie(header);
      this.#cookies = this.#cookies.filter((one) => one.name !== name);
      if (expires?.getTime() !== 0) this.#cookies.push({ name, value });
    }
    return answer;
  }

  signIn(json: unknown, workspaceId = this.#server.workspaceId): Promise<Answer> {
    return this.call('POST', `/workspaces/${workspaceId}/sessions/v1`, json);
  }

  /** Begins to sign in at the provider, and does so there; what the provider sends back. */
  async visitProvider(provider: TestProvider, name: string, workspaceId = this.#server.workspaceId): Promise<string> {
    const begun = await this.call('POST', `/workspaces/${workspaceId}/oidc-sign-ins/v1`);
    const { authorizationUrl } = begun.json() as { authorizationUrl?: string };
    if (authorizationUrl === undefined) throw new Error(begun.text);
    return provider.signIn(authorizationUrl, name);
  }

  finishOidcSignIn(callbackQuery: string, workspaceId = this.#server.workspaceId): Promise<Answer> {
    return this.call('POST', `/workspaces/${workspaceId}/oidc-sign-ins/finish/v1`, { callbackQuery });
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
