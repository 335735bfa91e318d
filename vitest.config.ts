import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The files that say of themselves that they are. */
const ON_BOTH_ENGINES = globSync('{server,test}/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8').startsWith('// @module-tag both-engines\n'),
);

const ON_POSTGRES = ['server/storage/postgres/*.test.ts', 'test/postgres/*.test.ts'];

const PROOFS = 'test/proofs/*.test.ts';

/** What takes minutes, or most of one and is seldom touched: `npm run test:long`. */
const LONG = [
  PROOFS,
  'conformance/command-line/{reporting,try-library,try-service}.test.ts',
  'conformance/library/sink/run.test.ts',
  'conformance/selftest/{matrix,strangers}.test.ts',
  'generator/targets/kotlin/{kotlin-target,client/compiled-client}.test.ts',
  'npm/{conformance,new-user}.test.ts',
  'test/android/{conformance,console-lines,consumers,examples,kills,minified,moments,pasted,release,resolve}.test.ts',
  'test/console/accessibility.test.ts',
  'test/deploy/{action,built-image,chart}.test.ts',
  'test/{foreign-contracts,irregular-files,log,lost-database,open-files}.test.ts',
];

/** The same on PostgreSQL. What is below the service seldom matters to the console. */
const LONG_ON_POSTGRES = [
  PROOFS,
  ...ON_BOTH_ENGINES.filter((file) => file.startsWith('test/console/')),
  'test/postgres/faults.test.ts',
];

/** These measure too, so no two share a process. */
const BY_THEMSELVES = {
  isolate: true,
  maxWorkers: Math.max(2, availableParallelism() - 1),
  sequence: { groupOrder: 3 },
};

/** What looks at the run itself. */
const AFTER_ALL = 'test/postgres/statements/whole-run.test.ts';

// The databases of tests are made by tests: none of them may reach one that the shell names.
delete process.env['DATABASE_URL'];

// The threads and programs that tests start load in half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    tags: [
      {
        name: 'both-engines',
        description: 'What is stored, or read from there, has to be the same on SQLite and PostgreSQL.',
      },
      { name: 'sqlite-alone', description: 'Whichever engine is below, what is tested is the same.' },
    ],
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
          globalSetup: './server/storage/testing/shared-file.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...ON_BOTH_ENGINES, ...ON_POSTGRES],
          exclude: ['**/node_modules/**', ...LONG_ON_POSTGRES],
          globalSetup: './server/storage/testing/shared-cluster.ts',
        },
      },
      {
        extends: true,
        test: { ...BY_THEMSELVES, name: 'long', include: LONG, globalSetup: './server/storage/testing/shared-file.ts' },
      },
      {
        extends: true,
        test: {
          ...BY_THEMSELVES,
          name: 'long-postgres',
          include: LONG_ON_POSTGRES,
          // What it tries is the surface of HTTP, which ends before a database.
          exclude: ['**/node_modules/**', 'test/proofs/schemathesis.test.ts'],
          globalSetup: './server/storage/testing/shared-cluster.ts',
        },
      },
      {
        extends: true,
        test: { name: 'after-all', include: [AFTER_ALL], sequence: { groupOrder: 4 } },
      },
    ],
    // Not the default 0: with one worker those of 0 would run last.
    sequence: { groupOrder: 1 },
    // Tests wait for each other's browsers, databases and programs: a processor would stand idle otherwise.
    maxWorkers: availableParallelism() + 2,
    // To load the server and to make its schemas ready takes longer than most files.
    isolate: false,
    // Of tests that say so themselves: they wait more than they work.
    maxConcurrency: 12,
    // These end what hangs, and nothing else: on a slow machine, or beside other tests, all takes many times as long.
    expect: { poll: { timeout: 45_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
