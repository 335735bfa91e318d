import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { MeasureOptions } from './measure.ts';
import { measures } from './measures.ts';
import { keep, markdownOf, renderAll } from './report.ts';

interface Options extends MeasureOptions {
  only: string[];
}

// Servers that are measured get databases of their own: none of them may reach one that the shell names.
delete process.env['DATABASE_URL'];

const program = new Command('npm run bench --')
  .description(
    'Measures the server on this machine. Full runs are kept in bench/results/ and docs/benchmarks.md; quick ones only shown.',
  )
  .option(
    '--only <names...>',
    'what to measure; default: all',
    measures.map(({ name }) => name),
  )
  .option('--rounds <number>', 'how often each load is measured; medians count', positive, 5)
  .option('--seconds <number>', 'how long each load lasts', positive, 5)
  .option('--quick', 'one short round over a tenth of the rows, kept nowhere', false)
  .option(
    '--against <folder>',
    'another checkout, with its dependencies installed, that isolation and ingest-cost measure in the same run',
    checkout,
  )
  .addHelpText(
    'after',
    `\nMeasures:\n${measures.map(({ name, describe }) => `  ${name.padEnd(15)} ${describe}`).join('\n')}\n`,
  );

const given = program.parse().opts<Options>();
const unknown = given.only.find((name) => measures.every((measure) => measure.name !== name));
if (unknown !== undefined) program.error(`There is no measure "${unknown}"; --help names them.`);
const options: MeasureOptions = given.quick ? { ...given, rounds: 1, seconds: 1 } : given;
for (const measure of measures.filter(({ name }) => given.only.includes(name))) {
  if (measure.takesAnother === true && options.against === undefined) {
    process.stderr.write(`${measure.name} is left out: it takes --against.\n`);
    continue;
  }
  const finding = await measure.run(options);
  process.stdout.write(`${markdownOf(finding)}\n`);
  if (!options.quick) keep(measure.name, finding);
}
if (!options.quick) renderAll(measures.map(({ name }) => name));

function checkout(folder: string): string {
  const root = resolve(folder);
  if (existsSync(join(root, 'bin/branchline.js')) && existsSync(join(root, 'node_modules'))) return root;
  throw new InvalidArgumentError('It must have bin/branchline.js and node_modules/ in it.');
}

function positive(text: string): number {
  const number = Number(text);
  if (number > 0 && number <= 1_000) return number;
  throw new InvalidArgumentError('It must be a number from 1 to 1000.');
}
