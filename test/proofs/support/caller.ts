import { Pool } from 'undici';
import { batchOf, eventReport } from '../../support/batch.ts';
import type { Access } from './installation.ts';

export interface Reply {
  status: number;
  text: string;
}

export interface Batch {
  batchId: string;
  /** One event each. */
  messageIds: readonly string[];
  eventName: string;
}

/** A client of one server, with so many keep-alive connections. Each of its calls throws when no whole answer came. */
export class Caller {
  readonly #pool: Pool;
  readonly #access: Access;

  constructor(origin: string, access: Access, connections: number) {
    this.#pool = new Pool(origin, { connections, pipelining: 1 });
    this.#access = access;
  }

  create(name: string): Promise<Reply> {
    return this.#onWorkspace('POST', '/branches/v1', { name });
  }

  changeStatus(branchId: string, branchStatus: string): Promise<Reply> {
    return this.#onWorkspace('PUT', `/branches/${branchId}/status/v1`, { branchStatus });
  }

  export(): Promise<Reply> {
    return this.#onWorkspace('GET', '/branches/export/v1');
  }

  observed(eventName: string): Promise<Reply> {
    return this.#onWorkspace('GET', `/inspector/events/v1?eventName=${encodeURIComponent(eventName)}`);
  }

  ingest({ batchId, messageIds, eventName }: Batch): Promise<Reply> {
    const events = messageIds.map((id) => eventReport(eventName, [{ name: 'price', type: 'float' }], id));
    return this.#send(
      'POST',
      '/inspector/batches/v1',
      { 'api-key': this.#access.apiKey },
      batchOf(events, { batchId }),
    );
  }

  /** Breaks off what is under way. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #onWorkspace(method: 'GET' | 'POST' | 'PUT', path: string, json?: unknown): Promise<Reply> {
    const { workspaceId, authorization } = this.#access;
    return this.#send(method, `/workspaces/${workspaceId}${path}`, { authorization }, json);
  }

  async #send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    headers: Record<string, string>,
    json?: unknown,
  ): Promise<Reply> {
    const { statusCode, body } = await this.#pool.request({
      method,
      path,
      headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: json === undefined ? null : JSON.stringify(json),
    });
    return { status: statusCode, text: await body.text() };
  }
}
