import { type Config, MOST_REQUESTS_PER_SECOND } from '../config.ts';
import type { NewServiceAccount } from './service-accounts.ts';

/** What the operator lets the admins of workspaces give the accounts that they create. The command line is the operator's. */
export interface AccountTerms {
  /** Whether no account may be served above its limit. */
  hardOnly: boolean;
  maxPerSecond: number;
}

/** Where limits are hard, no account may be faster than the others, unless the operator says so. */
export function chooseTerms({
  rateLimit,
  rateLimitMode,
  maxAccountRate,
}: Pick<Config, 'rateLimit' | 'rateLimitMode' | 'maxAccountRate'>): AccountTerms {
  const hardOnly = rateLimitMode === 'hard';
  return { hardOnly, maxPerSecond: maxAccountRate ?? (hardOnly ? rateLimit : MOST_REQUESTS_PER_SECOND) };
}

/** The sentence for an account that an admin may not create, of the fields of the contract; undefined: they may. */
export function describeBreach(
  { ratePerSecond, rateEnforcement }: Pick<NewServiceAccount, 'ratePerSecond' | 'rateEnforcement'>,
  { hardOnly, maxPerSecond }: AccountTerms,
): string | undefined {
  if (hardOnly && rateEnforcement === 'soft')
    return 'The field "enforcement" of the body must be hard, or left out: this server allows hard limits only.';
  if (ratePerSecond !== null && ratePerSecond > maxPerSecond)
    return `The field "requestsPerSecond" of the body must be at most ${maxPerSecond}: this server allows no faster account.`;
  return undefined;
}
