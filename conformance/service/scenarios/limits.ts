import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceCase } from '../case.ts';
import { type Answer, findHeader } from '../../engine/http/client.ts';
import { readText } from '../documented.ts';
import { parseRetryAfter } from '../../engine/http/retry-after.ts';

const BURST = 5;
/** Longer than the second in which the documents allow one request. */
const QUIET_MS = 1_100;
const LONGEST_WAIT_MS = 30_000;
const TRIES = 3;

/** The rate, which is soft: a service may answer 429 past it, or not. */
export const limits: readonly ServiceCase[] = [
  {
    id: 'limits/within-the-rate',
    clauses: ['LIMITS-RATE-1'],
    level: 'required',
    title: 'Who sends less than a request per second is served: not every such request is answered with 429.',
    cost: { 'first create': 1, 'first export': 1 },
    when: 'first',
    run: async (context) => {
      const served = async (send: () => Promise<Answer>): Promise<boolean> => {
        for (let tries = 1; ; tries += 1) {
          const answer = await send();
          if (answer.status !== 429) return true;
          if (tries === TRIES) return false;
          await pause(Math.max(QUIET_MS, Math.min(parseRetryAfter(answer, Date.now()) ?? 0, LONGEST_WAIT_MS)));
        }
      };
      const refused = (operation: string): string =>
        `${TRIES} requests for ${operation}, more than a second apart, were all answered with 429.`;
      context.check(
        await served(() => context.create({ name: context.name() }, { impatient: true })),
        refused('Create Branch'),
      );
      context.check(await served(() => context.export({ impatient: true })), refused('Export Branch Stats'));
    },
  },
  {
    id: 'limits/burst',
    clauses: ['LIMITS-OPEN-1', 'ERRORS-OPEN-2'],
    level: 'observed',
    title: `What ${BURST} creations at the same time are answered with.`,
    cost: { 'first create': BURST },
    when: 'first',
    run: async (context) => {
      const answers = await context.together(Array<string>(BURST).fill('first create'), () =>
        context.create({ name: context.name() }, { impatient: true, unpaced: true }),
      );
      const refused = answers.find(({ status }) => status !== 201);
      const how = refused === undefined ? '' : ` ${describeAnswer(refused)}`;
      return `Statuses ${answers.map(({ status }) => status).join(', ')}.${how}`;
    },
  },
  {
    id: 'limits/per-account',
    clauses: ['AUTHENTICATION-3'],
    level: 'observed',
    title: 'Whether the rate of one account is spent by another.',
    needs: ['second account'],
    cost: { 'first export': BURST, 'second export': 1 },
    when: 'first',
    run: async (context) => {
      const as = context.session.secondAccount;
      if (as === undefined) return context.notObserved('No second account was given.');
      const first = await context.together(Array<string>(BURST).fill('first export'), () =>
        context.export({ impatient: true, unpaced: true }),
      );
      const second = await context.export({ as, impatient: true });
      const statuses = first.map(({ status }) => status).join(', ');
      return `The first account's ${BURST} exports: ${statuses}; the second account's one after them: ${second.status}.`;
    },
  },
  {
    id: 'limits/higher-rates',
    clauses: ['LIMITS-OPEN-2'],
    level: 'observed',
    title: 'Whether higher rates can be had.',
    cost: {},
    run: async (context) => context.notObserved('The operator grants them, not a request.'),
  },
];

function describeAnswer(answer: Answer): string {
  const retryAfter = findHeader(answer, 'retry-after');
  return `${answer.status} came with ${retryAfter === undefined ? 'no Retry-After' : `Retry-After ${retryAfter}`} and the body ${JSON.stringify(readText(answer).slice(0, 100))}.`;
}
