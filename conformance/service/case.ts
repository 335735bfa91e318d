import type { ConformanceCase } from '../engine/case.ts';
import type { ServiceContext } from './context.ts';
import type { SuiteOptions } from './options.ts';

/** Something that not every run has; without it a case is skipped with the reason. */
export type Need = 'second account' | 'second workspace' | 'seeding' | 'api key' | 'profile';

/** A case that is tried of a service. */
export interface ServiceCase extends ConformanceCase<ServiceContext> {
  readonly clauses: readonly [string, ...string[]];
  readonly needs?: readonly Need[];
  /** Requests of each lane, for the estimate of the time that a paced run takes. */
  readonly cost: Readonly<Record<string, number>>;
}

/** Why a run has not all that a case needs; `undefined` where it has. */
export function findUnmetNeed({ needs = [] }: ServiceCase, options: SuiteOptions): string | undefined {
  const unmet = needs.find((need) => !NEEDS[need].isMet(options));
  return unmet === undefined ? undefined : NEEDS[unmet].reason;
}

const NEEDS: Readonly<Record<Need, { isMet: (options: SuiteOptions) => boolean; reason: string }>> = {
  'second account': {
    isMet: ({ accounts }) => accounts.length > 1,
    reason: 'Needs a second account of the workspace: give --account twice.',
  },
  'second workspace': {
    isMet: ({ secondWorkspace }) => secondWorkspace !== undefined,
    reason: 'Needs a second workspace with an account: --second-workspace and --second-workspace-account.',
  },
  seeding: {
    isMet: ({ seed, profile }) => seed !== undefined || profile === true,
    reason: 'Needs branches in other statuses: --seed-command.',
  },
  'api key': {
    isMet: ({ apiKey }) => apiKey !== undefined,
    reason: 'Needs an API key of the Inspector: --api-key.',
  },
  profile: {
    isMet: ({ profile }) => profile === true,
    reason: 'Tried only with --profile branchline.',
  },
};
