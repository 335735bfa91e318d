import { Command } from 'commander';
import type { GivenToVectors } from './try-library.ts';
import { helpText } from './help-text.ts';
import { addReportOptions, addSelectionOptions } from './run-options.ts';

/** `branchline conformance vectors`: tries the extraction of schemas. */
export function vectorsCommand(): Command {
  const command = new Command('vectors')
    .description('Try what schemas somebody’s Inspector library makes of properties.')
    .requiredOption('--driver <command>', 'a shell command that starts the library, driven by lines of JSON')
    .option('--vectors <folder>', 'other vectors than those of this project');
  return addReportOptions(addSelectionOptions(command))
    .addHelpText('after', helpText(HELP))
    .action(async (_: unknown, called: Command) => {
      const { vectors } = await import('./try-library.ts');
      process.exitCode = await vectors(called.optsWithGlobals<GivenToVectors>());
    });
}

const HELP = `
Exit codes: 0 every schema is as expected, or can not be had in the driver's language; 1 one is not; 2 nothing could be run.

Example:
  $ {command} --driver "java -jar harness.jar"
`;
