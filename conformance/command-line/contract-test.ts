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

Files, of which docs/contract-test.md says more:
  credentials.txt   scheme=credential, a line each: of HTTP Basic name:secret, of an API key the key, of all others a token
                      house_key=k-123
                      account=ada:s3cret
  values.yaml       values of path parameters by name; fields of bodies with such a name get them too
                      workspaceId: demo
  waivers.yaml      known failures, each by the id of its case, as --list shows it
                      waivers:
                        - case: createPet/body/name/maxLength-above
                          reason: Names are cut off, as the old API did it.
                          until: 2026-12-31

A credential need not be in a file: that of the scheme api_key is also taken from BRANCHLINE_CREDENTIAL_API_KEY in the environment,
and the commands in reports that send a request again read it there.

The command before a case runs once a case, before its first request. It reads {"id", "operationId", "method", "path", "title",
"mistake", "request"} and may write "path", "query", "headers", fields of "body", or "skip" with a reason:
  {"path": {"workspaceId": "demo"}, "body": {"bookId": "7f0d3b9c-4a56-4c3e-9d0e-0a1b2c3d4e5f"}}

An operation is untried where none of its valid requests was answered with what it is for; the verdict counts such, and the report
says what to give.

Exit codes: 0 nothing failed in what was tried; 1 the server does not do what the contract says; 2 the test could not run, or a command before
a case failed.

Examples:
  $ {command} --spec petstore.yaml --base-url http://127.0.0.1:3000
  $ {command} --spec petstore.yaml --base-url https://staging.example/v1 --credential-file credentials.txt \\
      --path workspaceId=demo --report html=report.html --report junit=report.xml --baseline known.yaml
  $ {command} --base-url http://127.0.0.1:3000 --only createPet --max-examples 500 --seed 7
`;
