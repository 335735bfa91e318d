import { randomBytes } from 'node:crypto';
import { type Budget, DEFAULT_BUDGET } from '../../server/inspector/budget.ts';
import { pino } from 'pino';
import { v7 as uuid } from 'uuid';
import { responseCheck } from '../../contract/exchanges/response.ts';
import { type Administration, openAdministration } from '../../server/accounts/administration.ts';
import type { OidcSettings } from '../../server/accounts/oidc/settings.ts';
import { Passwords } from '../../server/accounts/passwords.ts';
import { type Role, SCOPES, type Scope } from '../../server/accounts/principals.ts';
import { SecretHasher } from '../../server/accounts/secrets.ts';
import { buildApp } from '../../server/app.ts';
import contractDocument from '../../server/generated/contract.json' with { type: 'json' };
import type { Readiness } from '../../server/http/health.ts';
import { Metrics } from '../../server/http/metrics.ts';
import { newDatabase, type TestDatabase } from '../../server/storage/testing/databases.ts';
import { OwnCertificate } from '../../server/tls/own-certificate.ts';
import { exchange, type Received, type Sent } from './exchange.ts';

/** A service account as a client knows it. */
export interface Credentials {
  accountId: string;
  name: string;
  secret: string;
}

/** A person of a workspace, and what their browser sends along. */
export interface SignedIn {
  workspaceId: string;
  userId: string;
  email: string;
  cookie: string;
}

export interface Call extends Omit<Sent, 'headers'> {
  headers?: Record<string, string>;
  /** As whom; left out: the server's first account; null: nobody. */
  as?: Credentials | null;
  /** Sent as `application/json`. */
  json?: unknown;
}

export interface Answer extends Received {
  text: string;
  /** @throws SyntaxError when the body is not JSON */
  json: () => unknown;
}

export interface TestServerOptions {
  rateLimit?: number;
  rateLimitMode?: 'soft' | 'hard';
  maxAccountRate?: number;
  ingestRateLimit?: number;
  shapeLimit?: number;
  budget?: Partial<Budget>;
  maxConnections?: number;
  docs?: boolean;
  /** Defaults to `loopback`, so that a test may come from any address by `X-Forwarded-For`. */
  trustedProxies?: string;
  /** Replaces the clock of all but the storage; milliseconds since 1970. */
  clock?: () => number;
  /** Where log lines go; left out: nowhere. */
  log?: { write: (line: string) => void };
  logLevel?: string;
  /** Where people can sign in too; left out: nowhere. */
  oidc?: OidcSettings;
  /** Where people open the web application; left out: `https://web.example`, as behind a proxy. `own`: at the server itself. */
  webOrigin?: 'own';
  /** Where the console was built; left out: in the repository. */
  consoleFolder?: string;
  /** Left out: one that is made for it, which takes the test runner. */
  database?: TestDatabase;
}

/** What is asked is answered, however slow the machine is, not given up. */
const PATIENCE_MS = 600_000;

/** Checks every answer to an operation of the contract, so that neither the server nor the contract can lie. */
const problemsOf = responseCheck(contractDocument);

/** The real server on a database of its own, on a port of its own, in this process. */
export interface TestServer {
  origin: string;
  workspaceId: string;
  /** Has all scopes. */
  account: Credentials;
  apiKey: string;
  administration: Administration;
  readiness: Readiness;
  metrics: Metrics;
  /** One request; throws when the answer breaks the contract. */
  call: (request: Call) => Promise<Answer>;
  createAccount: (scopes?: readonly Scope[], workspaceId?: string) => Promise<Credentials>;
  /** Adds a person who is signed in; see {@link SignedIn}. */
  signIn: (role: Role, workspaceId?: string) => Promise<SignedIn>;
  /** Path of the workspace: `/workspaces/shop`. */
  workspacePath: string;
  /** How this server stores secrets. */
  hasher: SecretHasher;
  /** Breaks off all connections, in the middle of whatever is sent on them. */
  breakConnections: () => void;
  close: () => Promise<void>;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await newDatabase());
  const hashKey = randomBytes(32).toString('hex');
  const clock = options.clock ?? Date.now;
  const patience = { statementMs: PATIENCE_MS, connectMs: PATIENCE_MS };
  const administration = await openAdministration({ ...database.location, hashKey }, { clock, ...patience });
  const { workspaces, accounts, keys } = administration;
  const readiness: Readiness = { stopping: false };
  const metrics = new Metrics();
  const logger = pino({ level: options.logLevel ?? 'info' }, options.log ?? { write: () => {} });
  const app = await buildApp({
    administration,
    config: {
      rateLimit: options.rateLimit ?? 10_000,
      rateLimitMode: options.rateLimitMode ?? 'soft',
      maxAccountRate: options.maxAccountRate,
      ingestRateLimit: options.ingestRateLimit ?? 10_000,
      shapeLimit: options.shapeLimit ?? 10_000,
      exportSpool: 1_024,
      maxConnections: options.maxConnections ?? 10_000,
      docs: options.docs ?? true,
      trustedProxies: options.trustedProxies ?? 'loopback',
    },
    budget: { ...DEFAULT_BUDGET, ...options.budget },
    webHost: () => 'web.example',
    webOrigin: () => (options.webOrigin === 'own' ? origin : 'https://web.example'),
    oidc: options.oidc,
    certificate: new OwnCertificate({ host: '127.0.0.1', file: undefined, clock: Date.now, logger }),
    readiness,
    metrics,
    clock,
    sharedClock: options.clock,
    newId: uuid,
    passwords: new Passwords({ waitMs: PATIENCE_MS }),
    logger,
    consoleFolder: options.consoleFolder,
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });

  const workspaceId = 'shop';
  await workspaces.create(workspaceId);
  const createAccount = async (scopes: readonly Scope[] = SCOPES, inWorkspace = workspaceId): Promise<Credentials> => {
    const { account, secret } = await accounts.create({
      workspaceId: inWorkspace,
      label: 'test',
      email: 'ci@example.com',
      scopes,
      ratePerSecond: null,
      rateEnforcement: null,
    });
    return { accountId: account.accountId, name: account.name, secret };
  };
  const signIn = async (role: Role, inWorkspace = workspaceId): Promise<SignedIn> => {
    const userId = uuid();
    const email = `${role}-${userId.slice(-8)}@example.com`;
    const { token } = await workspaces.write(inWorkspace, async (tx) => {
      await tx
        .insertInto('users')
        .values({
          workspace_id: inWorkspace,
          user_id: userId,
          email,
          email_key: email,
          role,
          password_hash: null,
          created_at: clock(),
          last_sign_in_at: null,
        })
        .execute();
      return administration.sessions.begin(tx, inWorkspace, userId);
    });
    return { workspaceId: inWorkspace, userId, email, cookie: `branchline-session=${inWorkspace}.${token}` };
  };
  const account = await createAccount();
  const { text: apiKey } = await keys.create({ workspaceId, source: 'android-shop', samplingRate: 1 });

  return {
    origin,
    workspaceId,
    account,
    apiKey,
    administration,
    readiness,
    metrics,
    hasher: new SecretHasher(Buffer.from(hashKey, 'hex')),
    createAccount,
    signIn,
    workspacePath: `/workspaces/${workspaceId}`,
    call: (request) => call(origin, account, request),
    breakConnections: () => app.server.closeAllConnections(),
    close: async () => {
      await app.close();
      await administration.storage.close();
      await database.remove();
    },
  };
}

async function call(
  origin: string,
  account: Credentials,
  { as = account, json, headers, ...sent }: Call,
): Promise<Answer> {
  // Where a browser sends a cookie, it says what page made the request.
  const isUnsaid = headers?.['cookie'] !== undefined && headers['origin'] === undefined;
  const received = await exchange(origin, {
    ...sent,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    headers: {
      ...(as === null ? {} : { authorization: basic(as) }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isUnsaid ? { 'sec-fetch-site': 'same-origin' } : {}),
      ...headers,
    },
  });
  refuseLies(sent.method ?? 'GET', sent.path, received);
  const text = received.bytes.toString('utf8');
  return { ...received, text, json: () => JSON.parse(text) };
}

/** The `authorization` header of an account. */
export function basic({ name, secret }: Pick<Credentials, 'name' | 'secret'>): string {
  return `Basic ${Buffer.from(`${name}:${secret}`, 'utf8').toString('base64')}`;
}

function refuseLies(method: string, path: string, { status, headers, bytes }: Received): void {
  const bare = path.split('?', 1)[0] ?? path;
  const problems = problemsOf({ method, path: bare, response: { status, headers, body: bytes } });
  // What no operation answers (an unknown path, a method that a path has not) is not in the contract.
  if (problems.every((problem) => problem.startsWith('The contract has no operation'))) return;
  throw new Error(`${method} ${path} answered ${status} against the contract: ${problems.join(' ')}`);
}
