import { describeAnswers } from '../load/answers.ts';
import type { LoadPlan } from '../load/plan.ts';
import { generate } from '../load/run.ts';
import { whole } from '../numbers.ts';
import type { Scenario } from './scenario.ts';
import type { Tenant } from './tenants.ts';
import { measureUnderAttack } from './under-attack.ts';

interface Flood extends Pick<LoadPlan, 'work' | 'headers' | 'connections'> {
  /** The status of what is served. */
  expected: number;
}

/** One tenant creates branches as fast as it can, far past its soft limit. */
export const manyCreates = flood('Many creates', ({ account, branches }) => ({
  work: { kind: 'create', path: branches },
  headers: account,
  connections: 64,
  expected: 201,
}));

/** One tenant lists its branches over many connections. */
export const manyReads = flood('Many reads', ({ account, branches }) => ({
  work: { kind: 'read', path: branches },
  headers: account,
  connections: 400,
  expected: 200,
}));

/** Somebody without an account guesses. */
export const wrongCredentials = flood('Wrong credentials', ({ branches }) => ({
  work: { kind: 'read', path: branches },
  headers: { authorization: `Basic ${btoa('somebody:guessed')}` },
  connections: 400,
  expected: 200,
}));

function flood(title: string, floodOf: (attacker: Tenant) => Flood): Scenario {
  return {
    title,
    run: (installation, quick) =>
      measureUnderAttack(installation, async () => {
        const { expected, ...plan } = floodOf(installation.attacker);
        const { requests, unexpected } = await generate({
          ...plan,
          origin: installation.server.origin,
          seconds: quick ? 2 : 15,
        });
        const refused = Object.values(unexpected).reduce((sum, times) => sum + times, 0);
        return {
          Answers: describeAnswers({ [expected]: requests - refused, ...unexpected }),
          Accepted: whole(requests - refused),
          Rejected: whole(refused),
        };
      }),
  };
}
