import { UserError } from '@branchline/command-line';

const MEBIBYTE = 1_024 ** 2;

/**
 * Node reserves many more addresses than it uses memory, 1.7 GB with all threads of the server, and ends without a word where there are
 * none left for a thread. Some of them start when they are needed first.
 */
const LEAST_BYTES = 2_048 * MEBIBYTE;

/** @throws UserError when a server can't work with so few bytes of addresses */
export function requireAddressSpace(limit: number): void {
  if (limit >= LEAST_BYTES) return;
  throw new UserError(
    `This process may use ${Math.floor(limit / MEBIBYTE)} MiB of addresses, and a server needs at least ${LEAST_BYTES / MEBIBYTE}, which are far ` +
      'more than the memory that it takes: raise that limit (ulimit -v), or limit its memory as a container does, and start again.',
  );
}
