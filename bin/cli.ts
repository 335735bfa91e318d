import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { UserError } from '../server/user-error.ts';
import { accountCommand } from './commands/account.ts';
import { androidCommand } from './commands/android.ts';
import { generateCommand } from './commands/generate.ts';
import { keyCommand } from './commands/key.ts';
import { serveCommand } from './commands/serve.ts';
import { workspaceCommand } from './commands/workspace.ts';

/** Exit codes: 0 done; 1 the command looked and the answer is no (`generate --check`); 2 it could not do what was asked. */
const COULD_NOT = 2;

/** Runs the command line and sets the exit code. A mistake of the user's ends in a sentence, never in a stack trace. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(argv);
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    if (error instanceof UserError) process.stderr.write(`branchline: ${error.message}\n`);
    else if (!(error instanceof CommanderError)) throw error;
  }
}

function exitCodeOf(error: unknown): number {
  return error instanceof CommanderError && error.exitCode === 0 ? 0 : COULD_NOT;
}

function program(): Command {
  const branchline = new Command('branchline')
    .description('Contract-first toolkit of a tracking-plan service.')
    .version(version())
    .addCommand(serveCommand())
    .addCommand(workspaceCommand())
    .addCommand(accountCommand())
    .addCommand(keyCommand())
    .addCommand(generateCommand())
    .addCommand(androidCommand())
    // So that a command may have a --version of its own.
    .enablePositionalOptions()
    .addHelpText('after', '\nExample:\n  $ branchline serve --port 3000\n');
  throwInsteadOfExiting(branchline);
  return branchline;
}

/** Lets what is under way end by itself: commander would exit the process where it stands. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  command.showHelpAfterError('(--help shows how it is used)');
  for (const child of command.commands) throwInsteadOfExiting(child);
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const manifest: { version: string } = JSON.parse(text);
  return manifest.version;
}
