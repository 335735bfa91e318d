import type { Transaction } from 'kysely';
import { requireLiveWorkspace } from '../storage/live-workspace.ts';
import type { Tables } from '../storage/tables.ts';
import { findResent, rememberBatches } from './batches.ts';
import { addPropertyTypes } from './conflicts.ts';
import type { Delivery } from './delivery.ts';
import { lookUpKnown } from './known.ts';
import { disownMessages, rememberMessages } from './messages.ts';
import { addObservations } from './observations.ts';
import { type Outcome, Tally } from './tally.ts';

/**
 * Records a group of deliveries in one transaction, with the same result as if they came one after the other.
 *
 * @returns the outcome of each, in the same order
 */
export async function recordDeliveries(
  tx: Transaction<Tables>,
  deliveries: readonly Delivery[],
  maxShapes: number,
): Promise<Outcome[]> {
  const workspaces = new Set(deliveries.map(({ place }) => place.workspace_id));
  for (const workspaceId of [...workspaces].toSorted()) await requireLiveWorkspace(tx, workspaceId);
  const resent = await findResent(tx, deliveries);
  const others = deliveries.filter((delivery) => !resent.has(delivery));
  const fresh = await rememberMessages(tx, others);
  const tally = new Tally(fresh, await lookUpKnown(tx, others, fresh, maxShapes), maxShapes);
  const outcomes = new Map(others.map((delivery) => [delivery, tally.count(delivery)]));
  await disownMessages(tx, tally.uncounted);
  await addObservations(tx, tally);
  await addPropertyTypes(tx, tally.newShapes);
  await rememberBatches(
    tx,
    others.filter((delivery) => outcomes.get(delivery)?.refused.length === 0),
  );
  return deliveries.map((delivery) => outcomes.get(delivery) ?? { duplicates: delivery.events.length, refused: [] });
}
