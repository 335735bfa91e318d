import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeUnless } from '../../test/support/describe-unless.ts';
import { errorsIn, failuresIn, useServices } from './matrix.ts';
import { trySuite } from './try-suite.ts';

/**
 * A service in Python, whose author had the customer document and nothing of this suite, with faults and lawful variants of
 * the author's own: what the suite misses of them stands in docs/testing.md.
 */
const program = fileURLToPath(new URL('python/server.py', import.meta.url));
const missing = spawnSync('python3', ['--version']).status === 0 ? undefined : 'Python 3 is not installed';

interface Planted {
  readonly name: string;
  readonly does: string;
  /** A reader of the document might judge otherwise. */
  readonly disputable: boolean;
}

const { faults, variants }: { faults: Planted[]; variants: Planted[] } =
  missing === undefined
    ? JSON.parse(execFileSync('python3', ['-B', program, '--list'], { encoding: 'utf8' }))
    : { faults: [], variants: [] };

/** The names in the first column of the table under a heading of docs/testing.md. */
function listed(heading: string): Set<string> {
  const [, section = ''] = readFileSync('docs/testing.md', 'utf8').split(`### ${heading}\n`);
  const [table = ''] = section.split(/^#/m);
  return new Set([...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name));
}

const missed = listed('Faults that it misses');
const alarms = listed('Variants that it refuses');

/** A variant that answers 429 takes a run minutes. */
const TIME_LIMIT_MS = 900_000;

describeUnless(missing, 'a service in Python', () => {
  const findService = useServices({
    command: ['python3', '-B', program, '--every'],
    count: 1 + faults.length + variants.length,
  });
  const judge = async ({ name, does }: Planted, conforms: boolean): Promise<void> => {
    const report = await trySuite(findService(name), conforms ? {} : { settleMs: 0 });
    const problems = failuresIn(report).map(({ id, problems }) => ({ id, problems }));
    expect(report.conforms, `It ${does}. ${JSON.stringify(problems)}`).toBe(conforms);
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
