import { UserError } from '@branchline/command-line';

/** About as long as a timer may run. */
const MOST_SECONDS = 2_000_000;

/**
 * How long the URL of a database says that a connection is waited for, as libpq reads it, in milliseconds; undefined where it says
 * nothing, or 0 or less.
 *
 * @throws UserError where it is no whole number
 */
export function connectTimeout(url: string): number | undefined {
  const said = new URL(url).searchParams.get('connect_timeout');
  if (said === null) return undefined;
  // Not repeated: it may be part of a password that is not encoded.
  if (!/^[+-]?\d{1,9}$/.test(said.trim()))
    throw new UserError('Its connect_timeout must be a whole number of seconds, such as connect_timeout=10.');
  const seconds = Math.min(Number(said), MOST_SECONDS);
  return seconds > 0 ? seconds * 1_000 : undefined;
}
