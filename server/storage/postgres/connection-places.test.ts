import { expect, it } from 'vitest';
import { SIGNING_IN, UNKNOWN, workFor } from '../holder.ts';
import { ConnectionPlaces } from './connection-places.ts';

const takeAs = (places: ConnectionPlaces, holder: string) => workFor(holder, () => places.take(10));

async function countTaken(places: ConnectionPlaces, holder: string): Promise<number> {
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeAs(places, holder)));
  return taken.filter((leave) => leave !== undefined).length;
}

it('of ten connections, those whose credentials are unknown have two, those who sign in one, and a workspace the rest', async () => {
  const places = new ConnectionPlaces(10);
  expect(await countTaken(places, UNKNOWN)).toBe(2);
  expect(await countTaken(places, SIGNING_IN)).toBe(1);
  expect(await countTaken(places, 'shop')).toBe(6);
  expect(await countTaken(places, 'bank')).toBe(1);
});

it('a stranger who leaves makes room for another, and one who found no room has taken none', async () => {
  const places = new ConnectionPlaces(3);
  const leave = await takeAs(places, UNKNOWN);
  expect(await takeAs(places, UNKNOWN)).toBeUndefined();
  leave?.();
  expect(await countTaken(places, 'shop')).toBe(2);
  expect(await countTaken(places, 'bank')).toBe(1);
  expect(await takeAs(places, SIGNING_IN)).toBeUndefined();
});
