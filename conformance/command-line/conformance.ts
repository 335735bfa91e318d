import { Command, Option } from 'commander';
import type { Given } from './options.ts';
import { sinkCommand } from './sink.ts';
import { vectorsCommand } from './vectors.ts';
import { collectValues } from './repeatable.ts';
import { helpText } from './help-text.ts';
import { addConnectionOptions, addReportOptions, addSelectionOptions } from './run-options.ts';

/** `branchline conformance`: tries somebody's implementation. */
export function conformanceCommand(): Command {
  const command = new Command('conformance')
    .description('Try whether a service of the Branch Management HTTP API does what is documented.')
    .option('--base-url <url>', 'the service: everything before /workspaces/')
    .option('--workspace <id>', 'a workspace that branches may be created in')
    .option('--account <name:secret>', 'a service account of the workspace; twice for two', collectValues)
    .option('--account-file <file>', 'the accounts from a file, a line each, instead of the command line')
    .option('--second-workspace <id>', 'another workspace, to see that neither shows in the other')
    .option('--second-workspace-account <name:secret>', 'its service account')
    .option('--api-key <key>', 'an API key of the Inspector, for the ingest cases of the profile');
  addConnectionOptions(command)
    .option('--seed <number>', 'choose names and ids as a run with this number did; a report has its own')
    .option('--seed-command <command>', 'a shell command that puts a branch into a status')
    .addOption(new Option('--profile <name>', 'demand the decisions of this project too').choices(['branchline']))
    .option('--rate <requests>', 'requests a second for each account and operation, or "none" for no limit', '1')
    .option('--timeout <seconds>', 'for one exchange', '10')
    .option('--settle <seconds>', 'how long a new branch may take to show up in the export', '5')
    .option('--fail-fast', 'end the run at the first failure that counts')
    .option('--list', 'show the cases and end')
    .option('--explain <clause>', 'show a clause and the cases that try it, and end');
  return addReportOptions(addSelectionOptions(command))
    .addCommand(sinkCommand())
    .addCommand(vectorsCommand())
    .addHelpText('after', helpText(HELP))
    .action(async (given: Given) => {
      const { conformance } = await import('./try-service.ts');
      process.exitCode = await conformance(given);
    });
}

const HELP = `
Secrets need not be on the command line: BRANCHLINE_ACCOUNT, BRANCHLINE_SECOND_ACCOUNT, BRANCHLINE_SECOND_WORKSPACE_ACCOUNT
and BRANCHLINE_API_KEY in the environment stand in for the options.

The seed command finds BRANCHLINE_WORKSPACE_ID, BRANCHLINE_BRANCH_ID, BRANCHLINE_BRANCH_NAME and BRANCHLINE_BRANCH_STATUS in
its environment, and ends with 0 when the branch has the status.

Exit codes: 0 the service conforms in what was tried; 1 it does not; 2 the suite could not run.

Examples:
  $ {command} --base-url https://api.example --workspace demo --account ci-3f9a:secret
  $ {command} --base-url http://127.0.0.1:3000 --workspace demo --account-file accounts.txt --rate none \\
      --report html=report.html --report junit=report.xml --waivers waivers.yaml
  $ {command} --explain BRANCH-CREATE-400-2
`;
