import { generate } from '../load/run.ts';
import { whole } from '../numbers.ts';
import { describeAnswers } from '../load/answers.ts';
import type { Scenario } from './scenario.ts';
import { measureUnderAttack } from './under-attack.ts';

const CONNECTIONS = 64;

/** One tenant creates branches as fast as it can, far past its soft limit. */
export const manyCreates: Scenario = {
  title: 'Many creates',
  run: (installation, quick) =>
    measureUnderAttack(installation, async () => {
      const { server, attacker } = installation;
      const { requests, unexpected } = await generate({
        origin: server.origin,
        work: { kind: 'create', path: attacker.branches },
        headers: attacker.account,
        connections: CONNECTIONS,
        seconds: quick ? 2 : 15,
      });
      const refused = Object.values(unexpected).reduce((sum, times) => sum + times, 0);
      return {
        Answers: describeAnswers({ 201: requests - refused, ...unexpected }),
        Accepted: whole(requests - refused),
        Rejected: whole(refused),
      };
    }),
};
