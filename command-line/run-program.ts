import { type Command, CommanderError, Help, type Option } from 'commander';
import { endWithoutLookUps } from './end-of-process.ts';
import { escapeForTerminal } from './escape-for-terminal.ts';
import { hidePasswords } from './hide-passwords.ts';
import { isUserError } from './user-error.ts';

/** It could not do what was asked. */
const COULD_NOT = 2;

/**
 * Runs a command line and sets the exit code. A {@link UserError} ends in its sentence, and never in a stack trace; and so does a
 * command that waits when nothing is under way any more.
 */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  setUp(program);
  endWithItsReader(program);
  const endHalfWay = (): void => {
    process.stderr.write(
      `${program.name()}: The command has stopped half-way: what it waits for never comes. Report this as a fault.\n`,
    );
    process.exit(COULD_NOT);
  };
  // Node would end it with 13, and say that in its own words.
  process.once('beforeExit', endHalfWay);
  try {
    await program.parseAsync(askHelpOfCommands(program, argv));
  } catch (error) {
    process.exitCode = findExitCode(error);
    if (isWithoutFolder(error)) {
      process.stderr.write(`${program.name()}: The working folder is gone; change to one that is there.\n`);
    } else if (isUserError(error)) process.stderr.write(`${program.name()}: ${makeShowable(error.message)}\n`);
    else if (!(error instanceof CommanderError)) throw error;
  } finally {
    process.off('beforeExit', endHalfWay);
    endWithoutLookUps();
  }
}

/** Node names no code of its own for it. */
function isWithoutFolder(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}

function findExitCode(error: unknown): number {
  if (isUserError(error)) return error.exitCode;
  return error instanceof CommanderError && error.exitCode === 0 ? 0 : COULD_NOT;
}

/** Lets what is under way end by itself: commander would exit the process where it stands. Its errors repeat what it was given. */
function setUp(command: Command): void {
  command.exitOverride();
  command.configureOutput({
    writeErr: (text) => process.stderr.write(makeShowable(text)),
    outputError: (text, write) => write(hideUserInfo(text)),
  });
  command.showHelpAfterError('(--help shows how it is used)');
  command.configureHelp({ optionDescription: describeOption });
  for (const child of command.commands) setUp(child);
}

function makeShowable(error: string): string {
  return escapeForTerminal(hidePasswords(error));
}

/** Leaves out a value that was given where it may be a URL with a user and a password, or what was meant to be one. */
function hideUserInfo(error: string): string {
  return error
    .replace(/(?<= (?:argument|value) )'.*@.*?'(?= (?:is invalid|from env))/s, 'given')
    .replace(/(?<=unknown option '[^'=]*=).*@.*(?=')/s, '…');
}

const help = new Help();

/** Commander's text, and whether the command can't do without the option. */
function describeOption(option: Option): string {
  const text = help.optionDescription(option);
  return option.mandatory && option.defaultValue === undefined ? `${text} (required)` : text;
}

const HELP = new Set(['--help', '-h']);

/** Leaves help out where it is asked for of a command that there is none of: commander would show that of all others. */
function askHelpOfCommands(program: Command, argv: readonly string[]): readonly string[] {
  const [node = '', script = '', ...words] = argv;
  const asked = words.filter((word) => !HELP.has(word));
  if (asked[0] === 'help') asked.shift();
  let command = program;
  for (const [index, word] of asked.entries()) {
    const child = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (child === undefined) {
      const isUnknown = !word.startsWith('-') && command.commands.length > 0;
      return isUnknown ? [node, script, ...asked] : argv;
    }
    command = child;
    if (asked[index + 1] === 'help') asked.splice(index + 1, 1);
  }
  return argv;
}

let isShownOnce = false;

/** To be called before a secret is printed that is shown only once: that nobody reads it ends the command with an error from then on. */
export function requireReader(): void {
  isShownOnce = true;
}

/** Who reads only the first lines, as `head` does, wants no more of them. Where it can't be written, what was to be shown is lost. */
function endWithItsReader(program: Command): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' && !isShownOnce) process.exit();
    process.stderr.write(
      `${program.name()}: Standard output can't be written: ${message}. What was to be shown there is lost, but not undone: if that ` +
        'was a secret or a link, delete what it is for, or make another.\n',
    );
    process.exit(COULD_NOT);
  });
}
