import { type Batch, batchOf, eventReport } from '../../support/batch.ts';
import type { TestServer } from '../../support/server.ts';

export type Schema = Parameters<typeof eventReport>[1];

/** Events that an app sends, and from where. */
export interface Sending {
  /** Of each event its name and its properties; its name alone stands for one without any. */
  events: readonly (string | [name: string, schema: Schema])[];
  environment?: Batch['environment'];
  appVersion?: string;
  /** Left out: that of the server's source `android-shop`. */
  apiKey?: string;
}

/** Sends a batch over HTTP, all of which the server takes. */
export async function sendEvents(
  server: TestServer,
  { events, environment = 'prod', appVersion = '1.4.0', apiKey = server.apiKey }: Sending,
): Promise<void> {
  const reports = events.map((event) => (typeof event === 'string' ? eventReport(event, []) : eventReport(...event)));
  const app = { id: 'com.example.shop', name: 'Shop', version: appVersion };
  const { accepted } = await sendBatch(server, batchOf(reports, { environment, app }), apiKey);
  if (accepted !== events.length) throw new Error(`Of ${events.length} events ${accepted} were accepted.`);
}

/** Sends an event that the server rejects, in a batch of the environment `dev`. */
export async function sendRejected(server: TestServer, event: object): Promise<void> {
  const { accepted } = await sendBatch(server, batchOf([event], { environment: 'dev' }), server.apiKey);
  if (accepted !== 0) throw new Error('The event was accepted.');
}

async function sendBatch(server: TestServer, json: unknown, apiKey: string): Promise<{ accepted?: number }> {
  const headers = { 'api-key': apiKey };
  const answer = await server.call({ method: 'POST', path: '/inspector/batches/v1', as: null, headers, json });
  return answer.json() as { accepted?: number };
}
