import { v7 as uuid } from 'uuid';
import { expect } from 'vitest';
import { type Current, persistently } from './persistent.ts';

/** What a client was told that is done. */
export interface Told {
  /** Status by name of the branch. */
  branches: Map<string, 'Draft' | 'ReadyForReview'>;
  /** Asked for, and not answered yet. */
  asked: string | undefined;
}

/** Creates one branch after the other, and marks every second one as ready for review. */
export async function createBranches(current: Current, prefix: string, told: Told): Promise<void> {
  for (let number = 0; !current.over; number += 1) {
    const name = `${prefix}-${number}`;
    told.asked = name;
    const created = await persistently(current, (caller) => caller.create(name));
    told.branches.set(name, 'Draft');
    told.asked = undefined;
    // Nobody else takes this name: 409 says that a create was done of which the answer was lost, and its id with it.
    expect([201, 409], created.text).toContain(created.status);
    if (created.status === 409 || number % 2 === 0) continue;
    const { branchId } = JSON.parse(created.text);
    const changed = await persistently(current, (caller) => caller.changeStatus(branchId, 'ReadyForReview'));
    expect(changed.status, changed.text).toBe(200);
    told.branches.set(name, 'ReadyForReview');
  }
}

/** What a client that sends batches was told. */
export interface Sent {
  eventName: string;
  /** How many events were answered for; each was sent until then, and may have been sent several times. */
  answered: number;
  /** How many are in the batch that is not answered yet. */
  underWay: number;
}

/**
 * Sends one batch after the other, each until it is answered, and then once more under another batch id, as a client does that
 * has missed the answer and packed its events anew.
 */
export async function sendBatches(current: Current, sent: Sent, eventsInBatch: number): Promise<void> {
  while (!current.over) {
    const messageIds = Array.from({ length: eventsInBatch }, () => uuid());
    sent.underWay = eventsInBatch;
    const receipt = await receiptOf(current, sent.eventName, messageIds);
    // All of it was counted just now, or all of it by an attempt of which the answer was lost.
    expect([
      { accepted: eventsInBatch, duplicates: 0 },
      { accepted: 0, duplicates: eventsInBatch },
    ]).toContainEqual(receipt);
    sent.answered += eventsInBatch;
    sent.underWay = 0;
    expect(await receiptOf(current, sent.eventName, messageIds)).toEqual({ accepted: 0, duplicates: eventsInBatch });
  }
}

async function receiptOf(current: Current, eventName: string, messageIds: readonly string[]) {
  const batch = { batchId: uuid(), messageIds, eventName };
  const { status, text } = await persistently(current, (caller) => caller.ingest(batch));
  expect(status, text).toBe(200);
  const { accepted, duplicates } = JSON.parse(text);
  return { accepted, duplicates };
}
