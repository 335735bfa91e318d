import { Command } from 'commander';
import type { CaseFile, Contract } from '@branchline/contract';
import { collectValues } from './repeatable.ts';
import { helpText } from './help-text.ts';
import type { GivenForContract } from './try-contract.ts';
import { addConnectionOptions, addReportOptions, addSelectionOptions } from './run-options.ts';

/** Derives the cases of a contract. */
export type Derive = (contract: Contract) => Promise<CaseFile>;

/** `branchline contract test`: tries somebody's implementation of any contract. */
export function contractTestCommand(derive: Derive): Command {
  const command = new Command('test')
    .description('Try whether a server does what its OpenAPI document says.')
    .option('--spec <file>', 'the contract: OpenAPI 3.0 or 3.1, or Swagger 2.0; - reads standard input', 'openapi.yaml')
    .option('--base-url <url>', 'the server: everything before the paths of the contract')
    .option('--credential <scheme=credential>', 'a credential for a security scheme; may be given often', collectValues)
    .option('--credential-file <file>', 'the credentials from a file, a line each, instead of the command line')
    .option('--path <name=value>', 'a value of a path parameter; may be given often', collectValues)
    .option('--path-file <file>', 'values of path parameters by name, as YAML or JSON')
    .option('--before-case <command>', 'a shell command that prepares each case: JSON in, JSON out')
    .option('--max-examples <number>', 'random requests of each search, as long as nothing is found; 0 for none', '30');
  addConnectionOptions(command)
    .option('--seed <number>', 'choose at random as a run with this number did; a report has its own')
    .option('--rate <requests>', 'requests a second, or "none" for no limit', 'none')
    .option('--concurrency <number>', 'cases under way at once', '4')
    .option('--timeout <seconds>', 'for one exchange', '10')
    .option('--fail-fast', 'end the run at the first failure')
    .option('--strict', 'refuse also what is wrong in the contract and hurts nobody, instead of a warning')
    .option('--list', 'show the cases and end');
  return addReportOptions(addSelectionOptions(command))
    .addHelpText('after', helpText(HELP))
    .action(async (given: GivenForContract) => {
      const { testContract } = await import('./try-contract.ts');
      process.exitCode = await testContract(given, derive);
    });
}

const HELP = `
It creates, changes and deletes what the contract lets it: try a server whose data nobody needs.

A failure: a server error; an answer that is not as documented; a refused valid request; an invalid one, or one without credentials,
that is accepted; something created that is not there, or deleted that is. What OpenAPI leaves open is a warning.

The credential of HTTP Basic is name:secret, of an API key the key, of all others a token. It need not be on the command line: of the
scheme api_key it is also taken from BRANCHLINE_CREDENTIAL_API_KEY in the environment.

The command before a case reads {"id", "operationId", "method", "path", "title", "mistake", "request"} and may write "path", "query",
"headers", fields of "body", or "skip" with a reason.

Exit codes: 0 nothing failed; 1 the server does not do what the contract says; 2 the test could not run.

Examples:
  $ {command} --spec petstore.yaml --base-url http://127.0.0.1:3000
  $ {command} --spec petstore.yaml --base-url https://staging.example/v1 --credential-file credentials.txt \\
      --path workspaceId=demo --report html=report.html --report junit=report.xml --baseline known.yaml
  $ {command} --base-url http://127.0.0.1:3000 --only createPet --max-examples 500 --seed 7
`;
