import { Command } from 'commander';
import { parseTag, release } from '@branchline/android-packaging';
import { argument } from '../settings.ts';
import { printLine } from '../print.ts';
import { explainSystemErrors } from '../sentences.ts';

interface Options {
  version: string;
  out: string;
}

const help = `
Example:
  $ branchline android package --version 1.2.3

Builds the library (a minute or two), and writes app/service/inspector/dev/1.2.3 and app/service/inspector/prod/1.2.3 into the
folder: that is the release. JDK 17 and Maven 3.8 or newer are needed.

Exit codes: 0 done, 1 it must not be released (a drifted contract, another public API than that in android-sdk/api, a version
that is there already), 2 the arguments can not be used, or the library can not be built.
`;

/** `branchline android`: the Inspector library for Android. */
export function androidCommand(): Command {
  return new Command('android')
    .description('Release the Inspector library for Android.')
    .addCommand(packageCommand())
    .addHelpText('after', '\nExample:\n  $ branchline android package --version 1.2.3\n');
}

function packageCommand(): Command {
  return new Command('package')
    .description('Build the Inspector library, as a Maven repository in a folder.')
    .requiredOption('--version <tag>', 'the tag of the release, such as 1.2.3', argument(parseTag))
    .option('--out <folder>', 'the Maven repository that it is added to', 'dist/maven')
    .addHelpText('after', help)
    .action(packageLibrary);
}

async function packageLibrary({ version, out }: Options): Promise<void> {
  await explainSystemErrors(() => release(version, out));
  printLine(`Released app.service.inspector:dev:${version} and app.service.inspector:prod:${version} in ${out}.`);
}
