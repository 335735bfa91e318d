import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { describeUnless } from '../../test/support/describe-unless.ts';
import { errorsIn, failuresIn, useServices } from './matrix.ts';
import { trySuite } from './try-suite.ts';

/**
 * Services whose authors had the customer document and nothing of this suite, with faults and lawful variants of the authors'
 * own: what the suite misses of them stands in docs/testing.md.
 */

const folder = mkdtempSync(join(tmpdir(), 'branchline-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const python = fileURLToPath(new URL('python/server.py', import.meta.url));
const goSources = fileURLToPath(new URL('go', import.meta.url));
const goProgram = join(folder, 'server');

/** Where Go's own archive is unpacked is on few paths. */
const go = ['go', '/usr/local/go/bin/go'].find((program) => spawnSync(program, ['version']).status === 0) ?? 'go';

/** Its standard library is all that the service needs. */
function buildGo(): string | undefined {
  const { stdout } = spawnSync(go, ['version'], { encoding: 'utf8' });
  const [, minor = '0'] = /go1\.(\d+)/.exec(stdout ?? '') ?? [];
  if (Number(minor) < 25) return 'Go 1.25 or newer is not installed';
  execFileSync(go, ['build', '-o', goProgram, '.'], { cwd: goSources });
  return undefined;
}

const SERVERS = [
  {
    language: 'Python',
    command: ['python3', '-B', python],
    missing: spawnSync('python3', ['--version']).status === 0 ? undefined : 'Python 3 is not installed',
  },
  { language: 'Go', command: [goProgram], missing: buildGo() },
] as const;

interface Planted {
  readonly name: string;
  readonly does: string;
  /** A reader of the document might judge otherwise. */
  readonly disputable: boolean;
}

/** The names in the first column of the table under a heading of docs/testing.md. */
function listed(heading: string): Set<string> {
  const [, section = ''] = readFileSync('docs/testing.md', 'utf8').split(`### ${heading}\n`);
  const [table = ''] = section.split(/^#/m);
  return new Set([...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name));
}

/** Each round has processes of its own, so that no service has branches of a round before, and chooses other names. */
const ROUNDS = Number(process.env['BRANCHLINE_ROUNDS'] ?? 1);

/** A variant that answers 429 takes a run minutes. */
const TIME_LIMIT_MS = 900_000;

for (const { language, command, missing } of SERVERS) {
  const [program, ...options] = command;
  const { faults, variants }: { faults: Planted[]; variants: Planted[] } =
    missing === undefined
      ? JSON.parse(execFileSync(program, [...options, '--list'], { encoding: 'utf8', maxBuffer: 2 ** 24 }))
      : { faults: [], variants: [] };
  const missed = listed(`Faults in ${language} that it misses`);
  const alarms = listed(`Variants in ${language} that it refuses`);

  for (let round = 1; round <= ROUNDS; round += 1) {
    describeUnless(missing, `a service in ${language}, round ${round}`, () => {
      const findService = useServices({
        command: [...command, '--every'],
        count: 1 + faults.length + variants.length,
      });
      const judge = async ({ name, does }: Planted, conforms: boolean): Promise<void> => {
        const report = await trySuite(findService(name), conforms ? {} : { settleMs: 0 });
        const problems = failuresIn(report).map(({ id, problems }) => ({ id, problems }));
        expect(report.conforms, `It ${does}. --seed ${report.seed}. ${JSON.stringify(problems)}`).toBe(conforms);
        expect(errorsIn(report)).toEqual([]);
      };

      it.concurrent.for([
        { name: 'correct', does: 'does what is documented', disputable: false },
        ...variants.filter(({ name, disputable }) => !disputable && !alarms.has(name)),
      ])('conforms that $does ($name)', { timeout: TIME_LIMIT_MS }, (variant) => judge(variant, true));

      it.concurrent.for(faults.filter(({ name, disputable }) => !disputable && !missed.has(name)))(
        'does not conform that $does ($name)',
        { timeout: TIME_LIMIT_MS },
        (fault) => judge(fault, false),
      );

      it('has every fault and variant that the documents name', () => {
        const names = new Set([...faults, ...variants].map(({ name }) => name));
        expect([...missed, ...alarms].filter((name) => !names.has(name))).toEqual([]);
      });
    });
  }
}

describeUnless(SERVERS[1].missing, 'the service in Go', () => {
  it('shows each of its faults in an answer, and serves with each of its variants', { timeout: TIME_LIMIT_MS }, () => {
    expect(execFileSync(go, ['test', '.'], { cwd: goSources, encoding: 'utf8' })).toMatch(/^ok/);
  });
});
