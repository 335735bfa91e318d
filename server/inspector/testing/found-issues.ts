import { expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import type { EventSchema } from '../event-schema.ts';
import { settleCounts } from '../ingest/pending-counts.ts';
import { type IssueQuery, listIssues } from '../issues/list.ts';
import { hasUnchecked, lookBeforeReading } from '../issues/look-for-issues.ts';
import { batch, event, KEY, NOW, openIngest } from './batches.ts';

/** By its name alone, or with its schema. */
export type SentEvent = string | [name: string, schema: EventSchema];

interface Sent {
  workspaceId?: string;
  source?: string;
  version?: string;
  environment?: 'dev' | 'prod';
  at?: number;
  maxShapes?: number;
}

export const ADA = { workspaceId: 'demo', id: 'ada', email: 'ada@example.com' };

export const PRICE = (type: 'int' | 'float' | 'string'): EventSchema => [{ name: 'price', type }];

/** Ingests them as one batch of an app. */
export async function sendEvents(
  storage: Storage,
  events: SentEvent[],
  { workspaceId = 'demo', source = 'shop', at = NOW, maxShapes = 1_000, ...place }: Sent = {},
) {
  const ingest = openIngest({ storage, clock: () => at, maxShapes });
  const made = events.map((one) => (typeof one === 'string' ? event({ eventName: one }) : named(...one)));
  await ingest.take({ ...KEY, workspaceId, source }, batch(made, place));
  await ingest.close();
}

const named = (eventName: string, schema: EventSchema) => event({ eventName, schema });

/** Those that there are once all has been looked at. */
export async function readIssues(storage: Storage, query: IssueQuery = {}, workspaceId = 'demo') {
  await settleCounts(storage, workspaceId);
  await lookBeforeReading(storage, workspaceId);
  expect(await hasUnchecked(storage, workspaceId)).toBe(false);
  return (await listIssues(storage, workspaceId, query))?.entries ?? [];
}

/** In short: kind, event, property and what it is compared with. */
export async function summarizeIssues(storage: Storage, query: IssueQuery = {}): Promise<string[]> {
  const found = await readIssues(storage, query);
  return found
    .map(({ kind, eventName, property, comparedWith }) => [kind, eventName, property.join('.'), comparedWith].join(' '))
    .toSorted();
}
