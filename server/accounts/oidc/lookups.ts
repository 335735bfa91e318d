import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** Finds all addresses of a name. */
export type FindAddresses = (name: string) => Promise<LookupAddress[]>;

/**
 * Looks up names one after the other, the same name once for all who wait for it. The system's look-up can't be called off: while a name
 * server does not answer, each takes one of the few threads that this process has for look-ups, for a minute perhaps and however long
 * ago its caller has given up, and the connections to the database need them too.
 *
 * @param find replaces the system's look-up
 */
export function lookUpInTurn(find: FindAddresses = findBySystem): LookupFunction {
  const underWay = new Map<string, Promise<LookupAddress[]>>();
  let last: Promise<unknown> = Promise.resolve();

  const begin = (name: string): Promise<LookupAddress[]> => {
    const found = last.then(() => find(name)).finally(() => underWay.delete(name));
    underWay.set(name, found);
    last = found.catch(() => {});
    return found;
  };

  return (name, { all = false }, answer) => {
    (underWay.get(name) ?? begin(name)).then(
      (addresses) => {
        const [first] = addresses;
        if (all || first === undefined) answer(null, addresses);
        else answer(null, first.address, first.family);
      },
      (error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

function findBySystem(name: string): Promise<LookupAddress[]> {
  return lookup(name, { all: true, hints: ADDRCONFIG });
}
