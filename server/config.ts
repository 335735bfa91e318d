import {
  type Address,
  address,
  databaseFile,
  decimalNumber,
  file,
  hexKey,
  host,
  LOG_LEVELS,
  logLevel,
  oidcIssuer,
  postgresUrl,
  proxies,
  rateLimitMode,
  text,
  trueOrFalse,
  webHost,
  wholeNumber,
} from './config-values.ts';
import contract from './generated/contract.json' with { type: 'json' };
import { DEFAULT_BUDGET } from './inspector/budget.ts';

/** How the server runs; every field stands in {@link SETTINGS} with its flag, its environment variable and its default. */
export interface Config {
  host: string;
  port: number;
  database: string;
  databaseUrl: string | undefined;
  databasePasswordFile: string | undefined;
  databaseConnections: number;
  exportConnections: number;
  hashKey: string | undefined;
  hashKeyFile: string | undefined;
  webHost: string | undefined;
  trustedProxies: string;
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  oidcIssuer: string | undefined;
  oidcClientId: string | undefined;
  oidcClientSecret: string | undefined;
  oidcClientSecretFile: string | undefined;
  rateLimit: number;
  rateLimitMode: 'soft' | 'hard';
  /** Undefined: what the contract allows, or with hard limits `rateLimit`. */
  maxAccountRate: number | undefined;
  ingestRateLimit: number;
  shapeLimit: number;
  appVersionLimit: number;
  eventNameLimit: number;
  workspaceShapeLimit: number;
  propertyLimit: number;
  schemaMegabytes: number;
  exportSpool: number;
  maxConnections: number;
  docs: boolean;
  /** Undefined: only on the embedded database. */
  demo: boolean | undefined;
  metricsAddress: Address | undefined;
  drainDelay: number;
  drainTimeout: number;
  logLevel: string;
}

/** A setting as people write it. */
export interface Setting<Name extends keyof Config = keyof Config> {
  name: Name;
  /** As commander takes it, `--port <number>`; or `--[no-]docs` for what is on or off. */
  flag: string;
  env: string;
  /** Left out: no default. */
  default?: Config[Name];
  describe: string;
  /** Whether the value must never be shown, not even when it is wrong. Defaults to false. */
  secret?: boolean;
  /** @throws UserError that says what the value must be */
  parse: (text: string) => Config[Name];
}

/**
 * The slowest and the fastest rate that can be set, for an account over the API too. Times are counted in a rate's seconds for each
 * request, so that they stay as whole seconds in headers, and as milliseconds in a column.
 */
export const { minimum: LEAST_REQUESTS_PER_SECOND, maximum: MOST_REQUESTS_PER_SECOND } =
  contract.components.schemas.CreateServiceAccountRequest.properties.requestsPerSecond;

/** Parses the rate of an account. */
export const accountRate = decimalNumber(LEAST_REQUESTS_PER_SECOND, MOST_REQUESTS_PER_SECOND);

export const SETTINGS: readonly { [Name in keyof Config]: Setting<Name> }[keyof Config][] = [
  {
    name: 'host',
    flag: '--host <address>',
    env: 'HOST',
    default: '127.0.0.1',
    describe: 'Address to listen on; 0.0.0.0 or :: for all.',
    parse: host,
  },
  {
    name: 'port',
    flag: '--port <number>',
    env: 'PORT',
    default: 3000,
    describe: 'Port to listen on; 0 takes a free one.',
    parse: wholeNumber(0, 65_535),
  },
  {
    name: 'database',
    flag: '--database <file>',
    env: 'BRANCHLINE_DATABASE',
    default: 'data/branchline.db',
    describe: 'File of the embedded database; created on first start.',
    parse: databaseFile,
  },
  {
    name: 'databaseUrl',
    flag: '--database-url <url>',
    env: 'DATABASE_URL',
    describe:
      'PostgreSQL database instead of the embedded one: postgres://user:password@host:port/name. Wins over --database.',
    secret: true,
    parse: postgresUrl,
  },
  {
    name: 'databasePasswordFile',
    flag: '--database-password-file <file>',
    env: 'BRANCHLINE_DATABASE_PASSWORD_FILE',
    describe: 'With PostgreSQL: file that contains only the password, if the URL has none; read at start.',
    parse: file,
  },
  {
    name: 'databaseConnections',
    flag: '--database-connections <n>',
    env: 'BRANCHLINE_DATABASE_CONNECTIONS',
    default: 10,
    describe: 'With PostgreSQL: the maximum number of connections that this server opens for requests.',
    parse: wholeNumber(1, 10_000),
  },
  {
    name: 'exportConnections',
    flag: '--export-connections <n>',
    env: 'BRANCHLINE_EXPORT_CONNECTIONS',
    default: 4,
    describe:
      'With PostgreSQL: the maximum number of additional connections, one per running export; further exports wait.',
    parse: wholeNumber(1, 10_000),
  },
  {
    name: 'hashKey',
    flag: '--hash-key <hex>',
    env: 'BRANCHLINE_HASH_KEY',
    describe:
      'Key for hashing secrets, 64 hexadecimal digits. Default: the key in the file <database>.key, created on first start; no default with PostgreSQL.',
    secret: true,
    parse: hexKey,
  },
  {
    name: 'hashKeyFile',
    flag: '--hash-key-file <file>',
    env: 'BRANCHLINE_HASH_KEY_FILE',
    describe: 'File that contains only that key; read at start.',
    parse: file,
  },
  {
    name: 'webHost',
    flag: '--web-host <host>',
    env: 'BRANCHLINE_WEB_HOST',
    describe: 'Host of the web application, with its port if needed, for branchUrl. Default: where the server listens.',
    parse: webHost,
  },
  {
    name: 'trustedProxies',
    flag: '--trusted-proxies <addresses>',
    env: 'BRANCHLINE_TRUSTED_PROXIES',
    default: 'loopback',
    describe:
      'Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted, separated by commas: addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal.',
    parse: proxies,
  },
  {
    name: 'tlsCert',
    flag: '--tls-cert <file>',
    env: 'BRANCHLINE_TLS_CERT',
    describe:
      "Certificate for TLS on the same port, PEM, followed by its issuers' certificates; reloaded when it changes. Default: a self-signed certificate created by the server.",
    parse: file,
  },
  {
    name: 'tlsKey',
    flag: '--tls-key <file>',
    env: 'BRANCHLINE_TLS_KEY',
    describe: 'Private key of that certificate, PEM, without a passphrase.',
    parse: file,
  },
  {
    name: 'oidcIssuer',
    flag: '--oidc-issuer <url>',
    env: 'BRANCHLINE_OIDC_ISSUER',
    describe:
      'OIDC provider that people can also sign in with, such as https://accounts.google.com. It is trusted to say who owns an e-mail.',
    parse: oidcIssuer,
  },
  {
    name: 'oidcClientId',
    flag: '--oidc-client-id <id>',
    env: 'BRANCHLINE_OIDC_CLIENT_ID',
    describe:
      'Client id of this server at that provider, registered with the redirect URI https://<web-host>/sign-in/oidc.',
    parse: text('a client id'),
  },
  {
    name: 'oidcClientSecret',
    flag: '--oidc-client-secret <secret>',
    env: 'BRANCHLINE_OIDC_CLIENT_SECRET',
    describe:
      'Client secret of this server at that provider. Pass it by the environment or as a file: flags are visible in the process list.',
    secret: true,
    parse: text('a secret'),
  },
  {
    name: 'oidcClientSecretFile',
    flag: '--oidc-client-secret-file <file>',
    env: 'BRANCHLINE_OIDC_CLIENT_SECRET_FILE',
    describe: 'File that contains only that secret; read at start.',
    parse: file,
  },
  {
    name: 'rateLimit',
    flag: '--rate-limit <n>',
    env: 'BRANCHLINE_RATE_LIMIT',
    default: 1,
    describe: 'Requests per second per service account and operation.',
    parse: accountRate,
  },
  {
    name: 'rateLimitMode',
    flag: '--rate-limit-mode <soft|hard>',
    env: 'BRANCHLINE_RATE_LIMIT_MODE',
    default: 'soft',
    describe: 'soft serves requests above the limit, with a warning header; hard answers 429.',
    parse: rateLimitMode,
  },
  {
    name: 'maxAccountRate',
    flag: '--max-account-rate <n>',
    env: 'BRANCHLINE_MAX_ACCOUNT_RATE',
    describe: `Maximum rate limit that a workspace's admins can give a service account; the command line can give any. Default: ${MOST_REQUESTS_PER_SECOND}; with --rate-limit-mode hard, that of --rate-limit.`,
    parse: accountRate,
  },
  {
    name: 'ingestRateLimit',
    flag: '--ingest-rate-limit <n>',
    env: 'BRANCHLINE_INGEST_RATE_LIMIT',
    default: 50,
    describe: 'Batches per second per API key; always hard.',
    parse: decimalNumber(LEAST_REQUESTS_PER_SECOND, 100_000),
  },
  {
    name: 'shapeLimit',
    flag: '--shape-limit <n>',
    env: 'BRANCHLINE_SHAPE_LIMIT',
    default: 10_000,
    describe:
      'Maximum number of distinct event shapes per source and app version; events with further ones are rejected.',
    parse: wholeNumber(1, 10_000_000),
  },
  {
    name: 'appVersionLimit',
    flag: '--app-version-limit <n>',
    env: 'BRANCHLINE_APP_VERSION_LIMIT',
    default: DEFAULT_BUDGET.appVersions,
    describe: 'Maximum number of app versions per workspace, across all sources; events of further ones are rejected.',
    parse: wholeNumber(1, 1_000_000_000),
  },
  {
    name: 'eventNameLimit',
    flag: '--event-name-limit <n>',
    env: 'BRANCHLINE_EVENT_NAME_LIMIT',
    default: DEFAULT_BUDGET.eventNames,
    describe: 'Maximum number of event names per workspace; events with further ones are rejected.',
    parse: wholeNumber(1, 1_000_000_000),
  },
  {
    name: 'workspaceShapeLimit',
    flag: '--workspace-shape-limit <n>',
    env: 'BRANCHLINE_WORKSPACE_SHAPE_LIMIT',
    default: DEFAULT_BUDGET.shapes,
    describe: 'Maximum number of distinct event shapes per workspace; events with further ones are rejected.',
    parse: wholeNumber(1, 1_000_000_000),
  },
  {
    name: 'propertyLimit',
    flag: '--property-limit <n>',
    env: 'BRANCHLINE_PROPERTY_LIMIT',
    default: DEFAULT_BUDGET.properties,
    describe:
      'Maximum number of property types per workspace, each counted once per source and environment; events with further ones are rejected.',
    parse: wholeNumber(1, 1_000_000_000),
  },
  {
    name: 'schemaMegabytes',
    flag: '--schema-megabytes <n>',
    env: 'BRANCHLINE_SCHEMA_MEGABYTES',
    default: DEFAULT_BUDGET.bytes / 1024 ** 2,
    describe:
      "Approximate maximum size of a workspace's observed events, shapes and properties, in MiB; events with further new data are rejected.",
    parse: wholeNumber(1, 1_000_000_000),
  },
  {
    name: 'exportSpool',
    flag: '--export-spool <MiB>',
    env: 'BRANCHLINE_EXPORT_SPOOL',
    default: 1_024,
    describe: 'Maximum disk space of all exports whose clients are slower than the server, in MiB.',
    parse: wholeNumber(16, 1_048_576),
  },
  {
    name: 'maxConnections',
    flag: '--max-connections <n>',
    env: 'BRANCHLINE_MAX_CONNECTIONS',
    default: 10_000,
    describe:
      'Maximum number of open connections. When all are taken, one without a request under way is closed for a new one.',
    parse: wholeNumber(1, 1_000_000),
  },
  {
    name: 'docs',
    flag: '--[no-]docs',
    env: 'BRANCHLINE_DOCS',
    default: true,
    describe: 'Whether /docs serves the contract.',
    parse: trueOrFalse,
  },
  {
    name: 'demo',
    flag: '--[no-]demo',
    env: 'BRANCHLINE_DEMO',
    describe:
      'Whether starting on an empty database creates a demo workspace with an account and a key, and prints their secrets and a sign-in link. Default: true with the embedded database, false with PostgreSQL.',
    parse: trueOrFalse,
  },
  {
    name: 'metricsAddress',
    flag: '--metrics-address <host:port>',
    env: 'BRANCHLINE_METRICS_ADDRESS',
    describe: 'Separate address for /metrics, such as 127.0.0.1:9464 or [::1]:9464. Default: not served.',
    parse: address,
  },
  {
    name: 'drainDelay',
    flag: '--drain-delay <seconds>',
    env: 'BRANCHLINE_DRAIN_DELAY',
    default: 1,
    describe: 'After SIGTERM: how long /readyz fails while requests are still accepted.',
    parse: wholeNumber(0, 300),
  },
  {
    name: 'drainTimeout',
    flag: '--drain-timeout <seconds>',
    env: 'BRANCHLINE_DRAIN_TIMEOUT',
    default: 10,
    describe: 'After the delay: how long running requests may take to finish.',
    parse: wholeNumber(1, 300),
  },
  {
    name: 'logLevel',
    flag: '--log-level <level>',
    env: 'BRANCHLINE_LOG_LEVEL',
    default: 'info',
    describe: `${LOG_LEVELS.join(', ')}. The log is JSON lines on standard error.`,
    parse: logLevel,
  },
];
