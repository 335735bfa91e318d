import type { Delivery } from './delivery.ts';
import type { ValidEvent } from './event-validator.ts';

/**
 * A delivery in parts that each weigh no more than a transaction may. Most deliveries are one part; a large one full of news is
 * stored part by part, so that others get their turn in between.
 */
export function splitDelivery(
  delivery: Delivery,
  mostWeight: number,
  weigh: (event: ValidEvent) => number,
): Delivery[] {
  const parts: ValidEvent[][] = [];
  let weight = Infinity;
  for (const event of delivery.events) {
    weight += weigh(event);
    if (weight > mostWeight) {
      parts.push([]);
      weight = weigh(event);
    }
    parts.at(-1)?.push(event);
  }
  if (parts.length <= 1) return [delivery];
  const { batch: _, ...rest } = delivery;
  return parts.map((events) => ({ ...rest, events }));
}
