import type { Delivery } from './delivery.ts';
import type { ValidEvent } from './event-validator.ts';

/**
 * A delivery in parts that each weigh no more than a transaction may. Most deliveries are one part; a large one full of news is
 * stored part by part, so that others get their turn in between.
 */
export function splitDelivery(
  delivery: Omit<Delivery, 'weight'>,
  mostWeight: number,
  weigh: (event: ValidEvent) => number,
): Delivery[] {
  const parts: { events: ValidEvent[]; weight: number }[] = [];
  for (const event of delivery.events) {
    const weight = weigh(event);
    const last = parts.at(-1);
    if (last === undefined || last.weight + weight > mostWeight) parts.push({ events: [event], weight });
    else {
      last.events.push(event);
      last.weight += weight;
    }
  }
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0) return [{ ...delivery, weight: first?.weight ?? 0 }];
  const { batch: _, ...rest } = delivery;
  return parts.map((part) => ({ ...rest, ...part }));
}
