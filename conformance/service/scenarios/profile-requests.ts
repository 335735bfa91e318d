import { pathOf } from '../../engine/http/path.ts';
import { basic } from '../account.ts';
import type { SuiteCase } from '../../engine/case.ts';
import type { Answer } from '../../engine/http/client.ts';
import {
  UNAUTHORIZED,
  header,
  judgeCreated,
  judgeError,
  judgeInvalidName,
  objectOf,
  statusProblem,
} from '../documented.ts';
import type { Trial } from '../context.ts';

const decided = (
  id: string,
  clause: string,
  title: string,
  cost: SuiteCase['cost'],
  run: (trial: Trial) => Promise<void>,
): SuiteCase => ({ id: `profile/${id}`, clauses: [clause], level: 'profile', title, cost, run });

/** Requests that are errors wherever they come from. */
const ERRORS: readonly [title: string, status: number, ask: (trial: Trial) => Promise<Answer>][] = [
  ['an unknown path', 404, (trial) => trial.send({ path: '/no/such/path', lane: 'nobody path' })],
  ['a method that a path does not have', 405, (trial) => trial.send({ ...createPath(trial), method: 'DELETE' })],
  ['a missing header', 401, (trial) => trial.create({ name: 'a' }, { headers: [], lane: 'nobody create' })],
  ['a body that is too large', 413, (trial) => trial.create(JSON.stringify({ name: 'x'.repeat(70_000) }))],
  ['another media type', 415, (trial) => trial.create('name=a', { headers: typed(trial, 'text/plain') })],
];

/** Decisions about requests and errors. */
export const profileRequests: readonly SuiteCase[] = [
  ...ERRORS.map(([title, status, ask]) =>
    decided(
      `error-${status}`,
      'PROFILE-ERRORS-1',
      `The error for ${title} is ${status}, with one sentence as "error".`,
      { 'first create': 1 },
      async (trial) => {
        const answer = await ask(trial);
        trial.demand(judgeError(answer, status));
        const body = objectOf(answer);
        const fields = 'fields' in body ? Object.keys(body.fields) : [];
        trial.check(fields.length === 1, `The body has the fields ${fields.join(', ')}.`);
      },
    ),
  ),
  decided(
    'allow',
    'PROFILE-ERRORS-2',
    '405 names the methods that a path has.',
    { 'first otherMethod': 1 },
    async (trial) => {
      const answer = await trial.send({ ...createPath(trial), method: 'DELETE' });
      trial.check((header(answer, 'allow') ?? '').includes('POST'), `The header Allow is ${header(answer, 'allow')}.`);
    },
  ),
  decided('challenge', 'PROFILE-ERRORS-2', '401 carries WWW-Authenticate.', { 'nobody create': 1 }, async (trial) => {
    const answer = await trial.create({ name: 'a' }, { headers: [], lane: 'nobody create' });
    const challenge = header(answer, 'www-authenticate');
    trial.check(/^Basic realm="[^"]*", charset="UTF-8"$/.test(challenge ?? ''), `The header is ${challenge}.`);
  }),
  decided(
    'request-id',
    'PROFILE-ERRORS-3',
    'Every answer carries x-request-id.',
    { 'first create': 2 },
    async (trial) => {
      const ids = [await trial.create({ name: trial.name() }), await trial.create({ name: '' })].map((one) =>
        header(one, 'x-request-id'),
      );
      trial.check(ids.every((id) => id !== undefined) && ids[0] !== ids[1], `The ids are ${ids.join(' and ')}.`);
    },
  ),
  decided(
    'anonymous-bad-body',
    'PROFILE-ORDER-1',
    'A malformed body from nobody is 401, not 400.',
    { 'nobody create': 1 },
    async (trial) => {
      const headers: [string, string][] = [['content-type', 'application/json']];
      trial.demand(judgeError(await trial.create('{', { headers, lane: 'nobody create' }), 401, UNAUTHORIZED));
    },
  ),
  decided(
    'hyphens',
    'PROFILE-NAME-1',
    'Hyphens at the edges and double ones are taken.',
    { 'first create': 3 },
    async (trial) => {
      const free = [trial.name(), trial.name(), trial.name()] as const;
      for (const name of [`-${free[0]}`, `${free[1]}-`, free[2].replace('-', '--')]) await trial.created(name);
    },
  ),
  decided(
    'name-length',
    'PROFILE-NAME-1',
    'A name has at most 255 characters.',
    { 'first create': 2 },
    async (trial) => {
      await trial.created(`${trial.name()}-`.padEnd(255, 'x'));
      trial.demand(judgeInvalidName(await trial.create({ name: `${trial.name()}-`.padEnd(256, 'x') })).problems);
    },
  ),
  decided(
    'suggestion',
    'PROFILE-SUGGESTION-1',
    'The proposed name is transliterated, in strict kebab case.',
    { 'first create': 1 },
    async (trial) => {
      const free = trial.name();
      const { problems, suggestion } = judgeInvalidName(await trial.create({ name: `--Ünïcode Näme__${free}` }));
      trial.demand(problems);
      trial.check(suggestion === `unicode-name-${free}`, `The name ${suggestion} is proposed.`);
    },
  ),
  decided(
    'suggestion-free',
    'PROFILE-SUGGESTION-1',
    'The proposed name is free: where it is taken, it has a number.',
    { 'first create': 2 },
    async (trial) => {
      const { branchName } = await trial.created();
      const { problems, suggestion } = judgeInvalidName(await trial.create({ name: `${branchName}!` }));
      trial.demand(problems);
      trial.check(suggestion === `${branchName}-2`, `The name ${suggestion} is proposed.`);
    },
  ),
  decided(
    'more-fields',
    'PROFILE-FIELDS-1',
    'Fields that nobody knows are ignored.',
    { 'first create': 1 },
    async (trial) => {
      const name = trial.name();
      trial.demand(judgeCreated(await trial.create(JSON.stringify({ name, more: { fields: [1] } })), name).problems);
    },
  ),
  decided(
    'duplicate-keys',
    'PROFILE-FIELDS-2',
    'A key that comes twice is 400.',
    { 'first create': 1 },
    async (trial) => {
      const name = trial.name();
      trial.demand(judgeInvalidName(await trial.create(`{"name":"${name}-a","name":"${name}"}`)).problems);
    },
  ),
  decided('nesting', 'PROFILE-LIMITS-1', 'JSON deeper than 64 levels is 400.', { 'first create': 1 }, async (trial) => {
    const body = `{"name":"${trial.name()}","deep":${'['.repeat(70)}${']'.repeat(70)}}`;
    trial.demand(judgeError(await trial.create(body), 400));
  }),
  decided(
    'charset',
    'PROFILE-MEDIA-1',
    'UTF-8 may be named as charset, nothing else.',
    { 'first create': 2 },
    async (trial) => {
      const body = JSON.stringify({ name: trial.name() });
      trial.demand(
        statusProblem(await trial.create(body, { headers: typed(trial, 'application/json; charset=utf-8') }), 201),
      );
      trial.demand(
        statusProblem(await trial.create(body, { headers: typed(trial, 'application/json; charset=latin1') }), 415),
      );
    },
  ),
  decided(
    'head',
    'PROFILE-HEAD-1',
    'HEAD of the export answers as GET does, without a body.',
    { 'first export': 1 },
    async (trial) => {
      const { session } = trial;
      const path = pathOf('workspaces', session.workspace, 'branches', 'export', 'v1');
      const headers: [string, string][] = [['authorization', basic(session.account)]];
      const answer = await trial.send({ method: 'HEAD', path, lane: 'first export', headers });
      trial.demand(statusProblem(answer, 200));
      trial.check(answer.body.length === 0, `The body has ${answer.body.length} bytes.`);
    },
  ),
  decided(
    'scheme-case',
    'PROFILE-BASIC-1',
    'The scheme is known in any case, and two authorization headers are refused.',
    { 'first create': 1, 'nobody create': 1 },
    async (trial) => {
      const json: [string, string] = ['content-type', 'application/json'];
      const good: [string, string] = ['authorization', basic(trial.session.account, 'bAsIc')];
      await trial.created(trial.name(), { headers: [good, json] });
      const twice = await trial.create({ name: trial.name() }, { headers: [good, good, json], lane: 'nobody create' });
      trial.demand(judgeError(twice, 401, UNAUTHORIZED));
    },
  ),
  decided(
    'rate-headers',
    'PROFILE-RATE-1',
    'What is served carries RateLimit-Policy and RateLimit, what is not, Retry-After.',
    { 'first create': 1 },
    async (trial) => {
      const answer = await trial.create({ name: trial.name() }, { impatient: true });
      const wanted = answer.status === 429 ? ['retry-after'] : ['ratelimit-policy', 'ratelimit'];
      const missing = wanted.filter((name) => header(answer, name) === undefined);
      trial.check(missing.length === 0, `The answer has no ${missing.join(' and no ')}.`);
    },
  ),
  decided(
    'unknown-workspace',
    'PROFILE-FOREIGN-1',
    'A workspace that does not exist is answered as a wrong secret is.',
    { 'first create': 1 },
    async (trial) => {
      trial.demand(
        judgeError(await trial.create({ name: trial.name() }, { workspace: trial.name() }), 401, UNAUTHORIZED),
      );
    },
  ),
  {
    ...decided(
      'foreign-workspace',
      'PROFILE-FOREIGN-1',
      'The workspace of others is answered as a wrong secret is.',
      { 'first create': 1 },
      async (trial) => {
        const workspace =
          trial.session.options.secondWorkspace?.workspace ?? trial.skip('No second workspace was given.');
        trial.demand(judgeError(await trial.create({ name: trial.name() }, { workspace }), 401, UNAUTHORIZED));
      },
    ),
    needs: ['second workspace'],
  },
];

function createPath({ session }: Trial) {
  const path = pathOf('workspaces', session.workspace, 'branches', 'v1');
  return {
    path,
    lane: 'first otherMethod',
    headers: [['authorization', basic(session.account)]] as [string, string][],
  };
}

function typed({ session }: Trial, type: string): [string, string][] {
  return [
    ['authorization', basic(session.account)],
    ['content-type', type],
  ];
}
