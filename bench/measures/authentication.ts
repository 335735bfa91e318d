import { openAdministration } from '../../server/accounts/administration.ts';
import { SCOPES } from '../../server/accounts/principals.ts';
import type { Measure } from '../measure.ts';
import { decimals } from '../numbers.ts';
import { quantile } from '../statistics.ts';
import { type BenchDatabase, makeDatabase } from '../subjects/database.ts';
import { WORKSPACE } from '../subjects/place.ts';

const ACCOUNTS = 1_000;
const CALLS = 20_000;

export const authentication: Measure = {
  name: 'authentication',
  describe: 'what looking up an account and checking its secret adds to a request',
  async run() {
    const database = await makeDatabase();
    const latencies = await authenticateOften(database);
    database.remove();
    const figure = (share: number): string => `${decimals(quantile(latencies, share) * 1_000, 0)} µs`;
    return {
      title: 'Authentication',
      about:
        `What it adds to a request, measured in the process: ${CALLS} authentications, one after the other, of ${ACCOUNTS} accounts in turn. ` +
        'Nothing is cached; each looks the account up. Goal: p99 under 1,000 µs.',
      tables: [{ columns: ['', 'p50', 'p99', 'p99.9'], rows: [['SQLite', figure(0.5), figure(0.99), figure(0.999)]] }],
    };
  },
};

async function authenticateOften({ file, hashKey }: BenchDatabase): Promise<number[]> {
  const { storage, accounts } = await openAdministration({ database: file, databaseUrl: undefined, hashKey });
  const known: { name: string; secret: string }[] = [];
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const { account, secret } = await accounts.create({
      workspaceId: WORKSPACE,
      label: 'bench',
      email: 'ci@example.com',
      scopes: SCOPES,
      ratePerSecond: null,
      rateEnforcement: null,
    });
    known.push({ name: account.name, secret });
  }
  const latencies: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const { name, secret } = known[call % ACCOUNTS] ?? { name: '', secret: '' };
    const begun = performance.now();
    const account = await accounts.authenticate(WORKSPACE, name, secret);
    latencies.push(performance.now() - begun);
    if (account === undefined) throw new Error('An account was not known.');
  }
  await storage.close();
  return latencies;
}
