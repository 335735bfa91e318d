import { Command } from 'commander';
import type { GivenToVectors } from './try-library.ts';
import { collectValues } from './repeatable.ts';
import { helpText } from './help-text.ts';

/** `branchline conformance vectors`: tries the extraction of schemas. */
export function vectorsCommand(): Command {
  return new Command('vectors')
    .description('Try what schemas somebody’s Inspector library makes of properties.')
    .requiredOption('--driver <command>', 'a shell command that starts the library, driven by lines of JSON')
    .option('--vectors <folder>', 'other vectors than those of this project')
    .option('--only <text>', 'only vectors whose id contains the text')
    .option(
      '--report <kind=file>',
      'write a report: json, junit, html, badge or github; may be given often',
      collectValues,
    )
    .option('--waivers <file>', 'known failures, as YAML or JSON')
    .addHelpText('after', helpText(HELP))
    .action(async (_: unknown, command: Command) => {
      const { vectors } = await import('./try-library.ts');
      process.exitCode = await vectors(command.optsWithGlobals<GivenToVectors>());
    });
}

const HELP = `
Exit codes: 0 every schema is as expected, or can not be had in the driver's language; 1 one is not; 2 nothing could be run.

Example:
  $ {command} --driver "java -jar harness.jar"
`;
