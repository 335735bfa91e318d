import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { runProgram } from '@branchline/command-line';
import { conformanceCommand } from '@branchline/conformance';
import { accountCommand } from './commands/account.ts';
import { androidCommand } from './commands/android.ts';
import { contractCommand } from './commands/contract.ts';
import { diffCommand } from './commands/diff.ts';
import { generateCommand } from './commands/generate.ts';
import { keyCommand } from './commands/key.ts';
import { mockCommand } from './commands/mock.ts';
import { serveCommand } from './commands/serve.ts';
import { userCommand } from './commands/user.ts';
import { workspaceCommand } from './commands/workspace.ts';

/**
 * Runs the command line and sets the exit code: 0 success; 1 the check failed (`generate --check`, `diff`); 2 the command could not
 * run.
 */
export function run(argv: readonly string[]): Promise<void> {
  return runProgram(program(), argv);
}

const examples = `
Examples:
  $ branchline generate server --spec petstore.yaml --out my-service
  $ branchline mock petstore.yaml
  $ branchline diff main:openapi.yaml openapi.yaml
  $ branchline contract test --spec petstore.yaml --base-url http://127.0.0.1:3000
  $ branchline serve --port 3000

branchline <command> --help has the examples and options of a command.
`;

/** All commands. */
export function program(): Command {
  return (
    new Command('branchline')
      .description('Contract-first toolkit of a tracking-plan service.')
      .version(version())
      .addCommand(serveCommand())
      .addCommand(workspaceCommand())
      .addCommand(accountCommand())
      .addCommand(keyCommand())
      .addCommand(userCommand())
      .addCommand(generateCommand())
      .addCommand(diffCommand())
      .addCommand(mockCommand())
      .addCommand(androidCommand())
      // This lets a command have its own --version.
      .enablePositionalOptions()
      .addCommand(conformanceCommand())
      .addCommand(contractCommand())
      .addHelpText('after', examples)
  );
}

function version(): string {
  const text = readFileSync(new URL('package.json', import.meta.url), 'utf8');
  const manifest: { version: string } = JSON.parse(text);
  return manifest.version;
}
