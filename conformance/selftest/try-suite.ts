import type { Report } from '../engine/result.ts';
import type { SuiteOptions } from '../service/options.ts';
import { runSuite } from '../service/run.ts';

/** An independent service that listens, in this process or in another one. */
export interface Tried {
  readonly origin: string;
  /** Each workspace's accounts, in order. */
  readonly accounts: readonly { readonly workspaceId: string; readonly name: string; readonly secret: string }[];
}

/** For services that never answer; the others do within milliseconds, but the machine may be busy. */
export const SHORT_TIMEOUT_MS = 1_000;

/** Tries a service with everything that a run can be given, as fast as it answers. */
export function trySuite(
  service: Tried,
  limits: Pick<SuiteOptions, 'timeoutMs' | 'settleMs' | 'exportRows'> = {},
): Promise<Report> {
  return runSuite({ ...allOptions(service), ...limits });
}

/** Tries a service with no more than a base URL, a workspace and an account. */
export function trySuiteWithLeast(service: Tried): Promise<Report> {
  const { baseUrl, workspace, accounts } = allOptions(service);
  return runSuite({ baseUrl, workspace, accounts: [accounts[0]] });
}

function allOptions({ origin, accounts }: Tried): SuiteOptions {
  const [first, second, other] = accounts;
  if (first === undefined || second === undefined || other === undefined) throw new Error('There are three accounts.');
  return {
    baseUrl: origin,
    workspace: first.workspaceId,
    accounts: [toAccount(first), toAccount(second)],
    secondWorkspace: { workspace: other.workspaceId, account: toAccount(other) },
    seed: async ({ branchId }, branchStatus, workspaceId) => {
      const body = JSON.stringify({ workspaceId, branchId, branchStatus });
      const response = await fetch(new URL('/seed', origin), { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
    },
  };
}

function toAccount({ name, secret }: { name: string; secret: string }): { name: string; secret: string } {
  return { name, secret };
}
