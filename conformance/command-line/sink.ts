import { Command, Option } from 'commander';
import type { GivenToSink } from './try-library.ts';
import { collectValues } from './repeatable.ts';
import { helpText } from './help-text.ts';
import { addReportOptions, addSelectionOptions } from './run-options.ts';

/** `branchline conformance sink`: plays the service, and judges what a client library sends. */
export function sinkCommand(): Command {
  const command = new Command('sink')
    .description('Play the service for somebody’s Inspector library, and judge what it sends.')
    .option('--driver <command>', 'a shell command that starts an app with the library, driven by lines of JSON')
    .option(
      '--parallel <number>',
      'with a driver: apps under way at once; 1 for an app that there is only one of (default: 8)',
    )
    .option(
      '--retry-wait <seconds>',
      'with a driver: how long any try after the second may take to come; some 300 are lawful (default: 310)',
    )
    .option('--port <number>', 'without a driver: where to listen, on loopback (default: a free port)')
    .option('--seconds <number>', 'without a driver: how long to listen (default: until Ctrl+C)')
    .option('--plan <answers>', 'without a driver: answers to the first requests, such as 503,429=5,reset')
    .option(
      '--canary <value>',
      'without a driver: a value given to the app that must not show up; may be given often',
      collectValues,
    )
    .addOption(new Option('--profile <name>', 'demand the decisions of this project too').choices(['branchline']))
    .option('--list', 'show the cases and end')
    .option('--explain <clause>', 'show a clause and the cases that try it, and end');
  return addReportOptions(addSelectionOptions(command))
    .addHelpText('after', helpText(HELP))
    .action(async (_: unknown, called: Command) => {
      const { sink } = await import('./try-library.ts');
      process.exitCode = await sink(called.optsWithGlobals<GivenToSink>());
    });
}

const HELP = `
Answers of a plan: ok, a status (503), 429=5 (Retry-After in seconds), 429=date:5 (as a date), reset, cut (half a receipt),
slow=3 (seconds), reject=2 (events), sampling=0, redirect. After them everything is taken.

Exit codes: 0 the library conforms; 1 it does not; 2 the sink could not run.

Examples:
  $ {command} --driver "java -jar harness.jar" --profile branchline
  $ {command} --port 4000 --plan 503,429=5,reset --canary ada@example.com
`;
