import { Command, InvalidArgumentError } from 'commander';
import { Refusal } from './refusal.ts';
import { release } from './release.ts';
import { setVersion } from './versions.ts';

interface Options {
  dryRun?: boolean;
  setVersion?: string;
}

const help = `
Examples:
  $ npm run release -- --set-version 1.2.3      then "npm run generate", the section in CHANGELOG.md, and a commit
  $ npm run release -- --dry-run                all of it but the tag
  $ npm run release

It publishes nothing: it prints the commands that do. JDK 17 and Maven are needed for the Android library.
Exit codes: 0 done, 1 it must not or can't be released, which is said in sentences.
`;

function parseVersion(text: string): string {
  if (/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9a-z]+(\.[0-9a-z]+)*)?$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a version such as 1.2.3 or 1.2.3-rc.1.');
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(options: Options): Promise<void> {
  const repository = process.cwd();
  if (options.setVersion !== undefined) {
    setVersion(repository, options.setVersion);
    printLine(`All versions are ${options.setVersion}. Next: npm run generate, CHANGELOG.md, and a commit.`);
    return;
  }
  try {
    await release({ repository, dryRun: options.dryRun === true, say: printLine });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

await new Command('release')
  .description(
    'Make a release of the repository in the current folder: packages, Android library, bill of materials, checksums, tag.',
  )
  .option('--dry-run', 'everything but the tag')
  .option('--set-version <version>', 'write a version into all files that have it, and end', parseVersion)
  .addHelpText('after', help)
  .action(main)
  .parseAsync();
