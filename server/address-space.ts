import { UserError } from '@branchline/command-line';

const MEBIBYTE = 1_024 ** 2;

/**
 * Node reserves far more address space than it uses memory, several gigabytes with all threads of the server, and aborts where there is none
 * left for a thread, or for what is compiled. The more it may, the more it reserves at first, so less than this may do for one start and not
 * for the next. Some threads start when they are first needed.
 */
const LEAST_BYTES = 6_144 * MEBIBYTE;

/** @throws UserError when a server can't work with so little address space, in bytes */
export function requireAddressSpace(limit: number): void {
  if (limit >= LEAST_BYTES) return;
  throw new UserError(
    `This process may use ${Math.floor(limit / MEBIBYTE)} MiB of address space, and a server needs at least ${LEAST_BYTES / MEBIBYTE}, which is far ` +
      'more than the memory that it takes: raise that limit (ulimit -v), or limit its memory as a container does, and start again.',
  );
}
