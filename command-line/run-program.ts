import { type Command, CommanderError } from 'commander';
import { escapeForTerminal } from './escape-for-terminal.ts';
import { isUserError } from './user-error.ts';

/** It could not do what was asked. */
const COULD_NOT = 2;

/** Runs a command line and sets the exit code. A {@link UserError} ends in its sentence, and never in a stack trace. */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  setUp(program);
  endWithItsReader(process.stdout);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = findExitCode(error);
    if (isUserError(error)) process.stderr.write(`${program.name()}: ${escapeForTerminal(error.message)}\n`);
    else if (!(error instanceof CommanderError)) throw error;
  }
}

function findExitCode(error: unknown): number {
  if (isUserError(error)) return error.exitCode;
  return error instanceof CommanderError && error.exitCode === 0 ? 0 : COULD_NOT;
}

/** Lets what is under way end by itself: commander would exit the process where it stands. Its errors repeat what it was given. */
function setUp(command: Command): void {
  command.exitOverride();
  command.configureOutput({ writeErr: (text) => process.stderr.write(escapeForTerminal(text)) });
  command.showHelpAfterError('(--help shows how it is used)');
  for (const child of command.commands) setUp(child);
}

/** Who reads only the first lines, as `head` does, wants no more of them. */
function endWithItsReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
