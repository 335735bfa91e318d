import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What has to be the same on either engine. */
const ON_BOTH_ENGINES = [
  'server/accounts/{credential-use,credentials,expired,workspace-end}.test.ts',
  'server/branches/{export,handlers,list,list-plans,projection,store}.test.ts',
  'server/inspector/issues/*.test.ts',
  'server/inspector/{budgets,conflict-report,event-reports,event-reports.property,forget,handlers,ingest,ingest.property,reports,volumes}.test.ts',
  'server/maintenance/{lease,schedule,stored-horizon}.test.ts',
  'server/storage/{storage,wanted-reads,migrations/{inspector-growth,inspector-issues,inspector-volume,key-use,oidc}}.test.ts',
  'test/{conformance,contract,operations}.test.ts',
  'test/console/{administration,branches,inspector,issues,live,oidc,signing-in}.test.ts',
  'test/decisions/*.test.ts',
];

const ON_POSTGRES = ['server/storage/postgres/*.test.ts', 'test/postgres/*.test.ts'];

const PROOFS = 'test/proofs/*.test.ts';

/** What takes minutes: `npm run test:long`. */
const LONG = [
  PROOFS,
  'conformance/faults/matrix.test.ts',
  'generator/targets/{kotlin,kotlin-client}.test.ts',
  'npm/new-user.test.ts',
  'test/android/{conformance,console-lines,consumers,examples,kills,moments,release,resolve}.test.ts',
  'test/deploy/{built-image,chart}.test.ts',
  'test/foreign-contracts.test.ts',
];

/** What looks at the run itself. */
const AFTER_ALL = 'test/postgres/statements/whole-run.test.ts';

// The databases of tests are made by tests: none of them may reach one that the shell names.
delete process.env['DATABASE_URL'];

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], './test/support/closing-line.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: [
            '{bench,bin,command-line,contract,generator,runtime,server,conformance,npm,packaging,release,test}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...ON_POSTGRES, ...LONG, AFTER_ALL],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...ON_BOTH_ENGINES, ...ON_POSTGRES],
          globalSetup: './server/storage/testing/shared-cluster.ts',
        },
      },
      { extends: true, test: { name: 'long', include: LONG } },
      {
        extends: true,
        test: {
          name: 'long-postgres',
          include: [PROOFS],
          // What it tries is the surface of HTTP, which ends before a database.
          exclude: ['**/node_modules/**', 'test/proofs/schemathesis.test.ts'],
          globalSetup: './server/storage/testing/shared-cluster.ts',
        },
      },
      {
        extends: true,
        test: { name: 'after-all', include: [AFTER_ALL], sequence: { groupOrder: 2 } },
      },
    ],
    // Not the default 0: with one worker those of 0 would run last.
    sequence: { groupOrder: 1 },
    // One of two processors would stand idle otherwise.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Of tests that say so themselves: they wait more than they work.
    maxConcurrency: 12,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
