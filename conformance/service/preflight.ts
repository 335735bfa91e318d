import { CouldNotRun } from '../could-not-run.ts';
import { buildPath } from '../engine/http/path.ts';
import { type Account, encodeBasic } from './account.ts';
import type { Session } from './session.ts';

/**
 * Makes sure that there is a service, and that it knows an account that was given: with mistaken credentials every verdict
 * would be wrong. A service that takes an account in one operation, or in another spelling than the documented, is tried.
 */
export async function preflight(session: Session): Promise<void> {
  const { accounts } = session.options;
  for (const [index, account] of accounts.entries()) if (await isAdmitted(session, account, index)) return;
  const names = accounts.map(({ name }) => JSON.stringify(name)).join(' and ');
  const colon = accounts.some(({ secret }) => secret.includes(':'))
    ? ' A secret holds a colon: a service that cuts it there would do the same.'
    : '';
  throw new CouldNotRun(
    `The service refuses the account ${names} in the workspace ${JSON.stringify(session.workspace)}. Are name, secret and workspace right?${colon}`,
  );
}

const SPELLINGS = [
  ['authorization', 'Basic'],
  ['Authorization', 'Basic'],
  ['authorization', 'BASIC'],
] as const;
const OPERATIONS = [
  { method: 'GET', operation: 'export', path: ['branches', 'export', 'v1'] },
  { method: 'POST', operation: 'create', path: ['branches', 'v1'] },
] as const;

async function isAdmitted(session: Session, account: Account, number: number): Promise<boolean> {
  for (const [spelling, [header, scheme]] of SPELLINGS.entries()) {
    for (const { method, operation, path } of OPERATIONS) {
      const { outcome } = await session.sender.send({
        method,
        path: buildPath('workspaces', session.workspace, ...path),
        lane: session.lane(account, operation),
        headers: [
          [header, encodeBasic(account, scheme)],
          ...(method === 'POST' ? ([['content-type', 'application/json']] satisfies [string, string][]) : []),
        ],
        ...(method === 'POST' ? { body: JSON.stringify({ name: session.name(`p${number}`, spelling) }) } : {}),
        impatient: true,
      });
      if (outcome.unreachable === true) throw new CouldNotRun(`${outcome.problem} Is --base-url right?`);
      if (outcome.answer?.status !== 401 && outcome.answer?.status !== 403) return true;
    }
  }
  return false;
}
