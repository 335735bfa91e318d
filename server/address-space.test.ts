import { expect, it } from 'vitest';
import { requireAddressSpace } from './address-space.ts';

const GIBIBYTE = 1_024 ** 3;

it('a server that could not start its threads does not start', () => {
  expect(() => requireAddressSpace(6 * GIBIBYTE - 1)).toThrow(
    /may use 6143 MiB of address space, and a server needs at least 6144, .*: raise that limit \(ulimit -v\)/,
  );
  for (const enough of [6 * GIBIBYTE, Infinity]) expect(() => requireAddressSpace(enough)).not.toThrow();
});
