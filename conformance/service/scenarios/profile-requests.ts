import { buildPath } from '../../engine/http/path.ts';
import { encodeBasic } from '../account.ts';
import type { ServiceCase } from '../case.ts';
import { type Answer, findHeader } from '../../engine/http/client.ts';
import { UNAUTHORIZED, checkCreated, checkError, checkInvalidName, parseObject, checkStatus } from '../documented.ts';
import type { ServiceContext } from '../context.ts';

const decided = (
  id: string,
  clause: string,
  title: string,
  cost: ServiceCase['cost'],
  run: (context: ServiceContext) => Promise<void>,
): ServiceCase => ({ id: `profile/${id}`, clauses: [clause], level: 'profile', title, cost, run });

/** Requests that are errors wherever they come from. */
const ERRORS: readonly [title: string, status: number, ask: (context: ServiceContext) => Promise<Answer>][] = [
  ['an unknown path', 404, (context) => context.send({ path: '/no/such/path', lane: 'nobody path' })],
  ['a method that a path does not have', 405, (context) => context.send({ ...createPath(context), method: 'DELETE' })],
  ['a missing header', 401, (context) => context.create({ name: 'a' }, { headers: [], lane: 'nobody create' })],
  ['a body that is too large', 413, (context) => context.create(JSON.stringify({ name: 'x'.repeat(70_000) }))],
  ['another media type', 415, (context) => context.create('name=a', { headers: withType(context, 'text/plain') })],
];

/** Decisions about requests and errors. */
export const profileRequests: readonly ServiceCase[] = [
  ...ERRORS.map(([title, status, ask]) =>
    decided(
      `error-${status}`,
      'PROFILE-ERRORS-1',
      `The error for ${title} is ${status}, with one sentence as "error".`,
      { 'first create': 1 },
      async (context) => {
        const answer = await ask(context);
        context.demand(checkError(answer, status));
        const body = parseObject(answer);
        const fields = 'fields' in body ? Object.keys(body.fields) : [];
        context.check(fields.length === 1, `The body has the fields ${fields.join(', ')}.`);
      },
    ),
  ),
  decided(
    'allow',
    'PROFILE-ERRORS-2',
    '405 names the methods that a path has.',
    { 'first otherMethod': 1 },
    async (context) => {
      const answer = await context.send({ ...createPath(context), method: 'DELETE' });
      context.check(
        (findHeader(answer, 'allow') ?? '').includes('POST'),
        `The header Allow is ${findHeader(answer, 'allow')}.`,
      );
    },
  ),
  decided('challenge', 'PROFILE-ERRORS-2', '401 carries WWW-Authenticate.', { 'nobody create': 1 }, async (context) => {
    const answer = await context.create({ name: 'a' }, { headers: [], lane: 'nobody create' });
    const challenge = findHeader(answer, 'www-authenticate');
    context.check(/^Basic realm="[^"]*", charset="UTF-8"$/.test(challenge ?? ''), `The header is ${challenge}.`);
  }),
  decided(
    'request-id',
    'PROFILE-ERRORS-3',
    'Every answer carries x-request-id.',
    { 'first create': 2 },
    async (context) => {
      const ids = [await context.create({ name: context.name() }), await context.create({ name: '' })].map((one) =>
        findHeader(one, 'x-request-id'),
      );
      context.check(ids.every((id) => id !== undefined) && ids[0] !== ids[1], `The ids are ${ids.join(' and ')}.`);
    },
  ),
  decided(
    'anonymous-bad-body',
    'PROFILE-ORDER-1',
    'A malformed body from nobody is 401, not 400.',
    { 'nobody create': 1 },
    async (context) => {
      const headers: [string, string][] = [['content-type', 'application/json']];
      context.demand(checkError(await context.create('{', { headers, lane: 'nobody create' }), 401, UNAUTHORIZED));
    },
  ),
  decided(
    'hyphens',
    'PROFILE-NAME-1',
    'Hyphens at the edges and double ones are taken.',
    { 'first create': 3 },
    async (context) => {
      const free = [context.name(), context.name(), context.name()] as const;
      for (const name of [`-${free[0]}`, `${free[1]}-`, free[2].replace('-', '--')]) await context.createBranch(name);
    },
  ),
  decided(
    'name-length',
    'PROFILE-NAME-1',
    'A name has at most 255 characters.',
    { 'first create': 2 },
    async (context) => {
      await context.createBranch(`${context.name()}-`.padEnd(255, 'x'));
      context.demand(checkInvalidName(await context.create({ name: `${context.name()}-`.padEnd(256, 'x') })).problems);
    },
  ),
  decided(
    'suggestion',
    'PROFILE-SUGGESTION-1',
    'The proposed name is transliterated, in strict kebab case.',
    { 'first create': 1 },
    async (context) => {
      const free = context.name();
      const { problems, suggestion } = checkInvalidName(await context.create({ name: `--Ünïcode Näme__${free}` }));
      context.demand(problems);
      context.check(suggestion === `unicode-name-${free}`, `The name ${suggestion} is proposed.`);
    },
  ),
  decided(
    'suggestion-free',
    'PROFILE-SUGGESTION-1',
    'The proposed name is free: where it is taken, it has a number.',
    { 'first create': 2 },
    async (context) => {
      const { branchName } = await context.createBranch();
      const { problems, suggestion } = checkInvalidName(await context.create({ name: `${branchName}!` }));
      context.demand(problems);
      context.check(suggestion === `${branchName}-2`, `The name ${suggestion} is proposed.`);
    },
  ),
  decided(
    'more-fields',
    'PROFILE-FIELDS-1',
    'Fields that nobody knows are ignored.',
    { 'first create': 1 },
    async (context) => {
      const name = context.name();
      context.demand(
        checkCreated(await context.create(JSON.stringify({ name, more: { fields: [1] } })), name).problems,
      );
    },
  ),
  decided(
    'duplicate-keys',
    'PROFILE-FIELDS-2',
    'A key that comes twice is 400.',
    { 'first create': 1 },
    async (context) => {
      const name = context.name();
      context.demand(checkInvalidName(await context.create(`{"name":"${name}-a","name":"${name}"}`)).problems);
    },
  ),
  decided(
    'nesting',
    'PROFILE-LIMITS-1',
    'JSON deeper than 64 levels is 400.',
    { 'first create': 1 },
    async (context) => {
      const body = `{"name":"${context.name()}","deep":${'['.repeat(70)}${']'.repeat(70)}}`;
      context.demand(checkError(await context.create(body), 400));
    },
  ),
  decided(
    'charset',
    'PROFILE-MEDIA-1',
    'UTF-8 may be named as charset, nothing else.',
    { 'first create': 2 },
    async (context) => {
      const body = JSON.stringify({ name: context.name() });
      context.demand(
        checkStatus(await context.create(body, { headers: withType(context, 'application/json; charset=utf-8') }), 201),
      );
      context.demand(
        checkStatus(
          await context.create(body, { headers: withType(context, 'application/json; charset=latin1') }),
          415,
        ),
      );
    },
  ),
  decided(
    'head',
    'PROFILE-HEAD-1',
    'HEAD of the export answers as GET does, without a body.',
    { 'first export': 1 },
    async (context) => {
      const { session } = context;
      const path = buildPath('workspaces', session.workspace, 'branches', 'export', 'v1');
      const headers: [string, string][] = [['authorization', encodeBasic(session.account)]];
      const answer = await context.send({ method: 'HEAD', path, lane: 'first export', headers });
      context.demand(checkStatus(answer, 200));
      context.check(answer.body.length === 0, `The body has ${answer.body.length} bytes.`);
    },
  ),
  decided(
    'scheme-case',
    'PROFILE-BASIC-1',
    'The scheme is known in any case, and two authorization headers are refused.',
    { 'first create': 1, 'nobody create': 1 },
    async (context) => {
      const json: [string, string] = ['content-type', 'application/json'];
      const good: [string, string] = ['authorization', encodeBasic(context.session.account, 'bAsIc')];
      await context.createBranch(context.name(), { headers: [good, json] });
      const twice = await context.create(
        { name: context.name() },
        { headers: [good, good, json], lane: 'nobody create' },
      );
      context.demand(checkError(twice, 401, UNAUTHORIZED));
    },
  ),
  decided(
    'rate-headers',
    'PROFILE-RATE-1',
    'What is served carries RateLimit-Policy and RateLimit, what is not, Retry-After.',
    { 'first create': 1 },
    async (context) => {
      const answer = await context.create({ name: context.name() }, { impatient: true });
      const wanted = answer.status === 429 ? ['retry-after'] : ['ratelimit-policy', 'ratelimit'];
      const missing = wanted.filter((name) => findHeader(answer, name) === undefined);
      context.check(missing.length === 0, `The answer has no ${missing.join(' and no ')}.`);
    },
  ),
  decided(
    'unknown-workspace',
    'PROFILE-FOREIGN-1',
    'A workspace that does not exist is answered as a wrong secret is.',
    { 'first create': 1 },
    async (context) => {
      context.demand(
        checkError(await context.create({ name: context.name() }, { workspace: context.name() }), 401, UNAUTHORIZED),
      );
    },
  ),
  {
    ...decided(
      'foreign-workspace',
      'PROFILE-FOREIGN-1',
      'The workspace of others is answered as a wrong secret is.',
      { 'first create': 1 },
      async (context) => {
        const workspace =
          context.session.options.secondWorkspace?.workspace ?? context.skip('No second workspace was given.');
        context.demand(checkError(await context.create({ name: context.name() }, { workspace }), 401, UNAUTHORIZED));
      },
    ),
    needs: ['second workspace'],
  },
];

function createPath({ session }: ServiceContext) {
  const path = buildPath('workspaces', session.workspace, 'branches', 'v1');
  return {
    path,
    lane: 'first otherMethod',
    headers: [['authorization', encodeBasic(session.account)]] as [string, string][],
  };
}

function withType({ session }: ServiceContext, type: string): [string, string][] {
  return [
    ['authorization', encodeBasic(session.account)],
    ['content-type', type],
  ];
}
