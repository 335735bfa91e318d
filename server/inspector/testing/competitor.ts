import type { BatchReceipt } from '../ingest/ingest.ts';
import { openStorage } from '../../storage/open.ts';
import { batch, KEY, openIngest } from './batches.ts';
import type { EventReport } from '../event-schema.ts';

/** What a second process is to send: the events of each batch. */
export type Job = EventReport[][];

// As a process of its own: opens the database that it is given, says so, sends all batches at once, and answers.
const place = process.argv[2];
if (import.meta.main && place !== undefined) {
  const storage = await openStorage(JSON.parse(place));
  const ingest = openIngest({ storage, timer: setTimeout });
  process.once('message', async (job: Job) => {
    const receipts: BatchReceipt[] = await Promise.all(job.map((events) => ingest.take(KEY, batch(events))));
    process.send?.(receipts);
    await storage.close();
  });
  process.send?.('open');
}
