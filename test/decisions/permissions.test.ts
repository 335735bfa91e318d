// @module-tag both-engines
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Scope, SCOPES } from '../../server/accounts/principals.ts';
import contract from '../../server/generated/contract.json' with { type: 'json' };
import { basic, startTestServer, type TestServer } from '../support/server.ts';

/** What the contract says of an operation that decides who may call it, and how a request to it looks. */
interface Operation {
  operationId: string;
  method: string;
  path: string;
  security: Record<string, string[]>[];
  body: unknown;
}

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.administration.workspaces.create('elsewhere');
});
afterAll(() => server.close());

const OPERATIONS = Object.entries<Record<string, unknown>>(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, found]): Operation[] => {
    const { operationId, security = contract.security, requestBody } = Object(found);
    if (operationId === undefined) return [];
    const { example, examples } = requestBody?.content['application/json'] ?? {};
    const [first] = Object.values<{ value: unknown }>(examples ?? {});
    const shown = example ?? first?.value;
    // A person acts for nobody but themselves.
    const body = shown === undefined ? undefined : { ...shown, userEmail: undefined };
    return [{ operationId, method: method.toUpperCase(), path, security, body }];
  }),
);

/** As whom an operation is called. */
const ACTORS = ['nobody', ...ROLES, 'admin of another workspace', 'unknown session'] as const;
type Actor = (typeof ACTORS)[number];

async function cookieOf(actor: Actor): Promise<string | undefined> {
  if (actor === 'nobody') return undefined;
  if (actor === 'unknown session') return `branchline-session=shop.${'A'.repeat(43)}`;
  if (actor !== 'admin of another workspace') return (await server.signIn(actor)).cookie;
  return (await server.signIn('admin', 'elsewhere')).cookie;
}

/** Each with a session of its own, which it may end. */
async function call(operation: Operation, actor: Actor) {
  const cookie = await cookieOf(actor);
  return send(operation, cookie === undefined ? {} : { cookie });
}

function send({ method, path, body }: Operation, headers: Record<string, string>) {
  const filled = path.replace('{workspaceId}', 'shop').replaceAll(/\{\w+\}/g, '019a0b7c-3f7e-7c31-8f5e-2d9f0f6f2a11');
  return server.call({
    method,
    path: filled,
    as: null,
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    ...(body === undefined ? {} : { json: body }),
  });
}

/** What the contract expects. */
function expected({ path, security }: Operation, actor: Actor): 'allowed' | 401 | 403 {
  const least = security.find((one) => 'session' in one)?.['session'];
  const isForeign = actor === 'admin of another workspace' && path.includes('{workspaceId}');
  if (least === undefined || actor === 'nobody' || actor === 'unknown session' || isForeign) return 401;
  const held = actor === 'admin of another workspace' ? 'admin' : actor;
  const [needed] = least;
  return needed === undefined || ROLES.indexOf(held) >= ROLES.findIndex((role) => role === needed) ? 'allowed' : 403;
}

describe('Roles', () => {
  const closed = OPERATIONS.filter(({ security }) => security.length > 0);

  it.each(closed)('$operationId is for whom the contract names', async (operation) => {
    for (const actor of ACTORS) {
      const { status } = await call(operation, actor);
      const outcome = status === 401 || status === 403 ? status : 'allowed';
      expect(outcome, actor).toBe(expected(operation, actor));
    }
  });

  it.each(closed)(
    '$operationId tells a foreign session nothing that it does not tell an unknown one',
    async (operation) => {
      if (expected(operation, 'admin of another workspace') !== 401) return;
      const [foreign, unknown] = [
        await call(operation, 'admin of another workspace'),
        await call(operation, 'unknown session'),
      ];
      const { 'x-request-id': _one, date: _now, ...headers } = foreign.headers;
      expect(foreign).toMatchObject({ status: unknown.status, text: unknown.text });
      expect(unknown.headers).toMatchObject(headers);
    },
  );

  it('what takes no credentials answers everybody alike', async () => {
    const open = OPERATIONS.filter(({ security }) => security.length === 0);
    expect(open.map(({ operationId }) => operationId)).toEqual([
      'checkSignInLink',
      'createSession',
      'beginOidcSignIn',
      'finishOidcSignIn',
      'getSignInWays',
    ]);
    for (const operation of open) {
      const { status, text } = await call(operation, 'nobody');
      for (const actor of ACTORS) expect(await call(operation, actor), actor).toMatchObject({ status, text });
    }
  });

  it('there is an operation for each role alone, and some for programs alone', () => {
    const outcomes = OPERATIONS.map((operation) => ROLES.map((role) => expected(operation, role)).join(' '));
    const kinds = ['allowed allowed allowed', '403 allowed allowed', '403 403 allowed', '401 401 401'];
    expect([...new Set(outcomes)].toSorted()).toEqual(kinds.toSorted());
  });
});

/** With which account, by its scopes, a program calls an operation. */
const PROGRAMS = ['all scopes', ...SCOPES, 'all scopes of another workspace', 'a wrong secret'] as const;
type Program = (typeof PROGRAMS)[number];

async function accountOf(program: Program) {
  if (program === 'all scopes of another workspace') return server.createAccount(SCOPES, 'elsewhere');
  const scopes: readonly Scope[] = SCOPES.filter((scope) => scope === program);
  const account = await server.createAccount(scopes.length === 0 ? SCOPES : scopes);
  return program === 'a wrong secret' ? { ...account, secret: 'x'.repeat(43) } : account;
}

/** What the contract expects. */
function expectedOf({ security }: Operation, program: Program): 'allowed' | 401 | 403 {
  const needed = security.find((one) => 'serviceAccount' in one)?.['serviceAccount'];
  if (needed === undefined || program === 'all scopes of another workspace' || program === 'a wrong secret') return 401;
  return program === 'all scopes' || needed.every((scope) => scope === program) ? 'allowed' : 403;
}

describe('Scopes', () => {
  it.each(OPERATIONS.filter(({ security }) => security.length > 0))(
    '$operationId is for programs with the scopes that the contract names',
    async (operation) => {
      for (const program of PROGRAMS) {
        const { status } = await send(operation, { authorization: basic(await accountOf(program)) });
        const outcome = status === 401 || status === 403 ? status : 'allowed';
        expect(outcome, program).toBe(expectedOf(operation, program));
      }
    },
  );

  it('there is an operation for each scope', () => {
    for (const scope of SCOPES) {
      const others = SCOPES.filter((one) => one !== scope);
      const own = OPERATIONS.filter((operation) => expectedOf(operation, scope) === 'allowed');
      expect(
        own.some((operation) => others.every((other) => expectedOf(operation, other) === 403)),
        scope,
      ).toBe(true);
    }
  });
});
