import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { runProgram } from '@branchline/command-line';

/** The commands in the order of the help, each loaded only where it may be wanted. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  workspace: async () => (await import('./commands/workspace.ts')).workspaceCommand(),
  account: async () => (await import('./commands/account.ts')).accountCommand(),
  key: async () => (await import('./commands/key.ts')).keyCommand(),
  user: async () => (await import('./commands/user.ts')).userCommand(),
  generate: async () => (await import('./commands/generate.ts')).generateCommand(),
  diff: async () => (await import('./commands/diff.ts')).diffCommand(),
  mock: async () => (await import('./commands/mock.ts')).mockCommand(),
  android: async () => (await import('./commands/android.ts')).androidCommand(),
  conformance: async () => (await import('@branchline/conformance')).conformanceCommand(),
  contract: async () => (await import('./commands/contract.ts')).contractCommand(),
};

/**
 * Runs the command line and sets the exit code: 0 success; 1 the check failed (`generate --check`, `diff`); 2 the command could not
 * run.
 */
export async function run(argv: readonly string[]): Promise<void> {
  const [, , name = ''] = argv;
  await runProgram(await program(Object.hasOwn(COMMANDS, name) ? [name] : undefined), argv);
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

/**
 * The command line.
 *
 * @param names of the commands that it has; defaults to all
 */
export async function program(names = Object.keys(COMMANDS)): Promise<Command> {
  const commands = await Promise.all(names.flatMap((name) => COMMANDS[name]?.() ?? []));
  const whole = new Command('branchline')
    .description('Contract-first toolkit of a tracking-plan service.')
    .version(version())
    // This lets a command have its own --version.
    .enablePositionalOptions()
    .addHelpText('after', examples);
  for (const command of commands) whole.addCommand(command);
  return whole;
}

function version(): string {
  const text = readFileSync(new URL('package.json', import.meta.url), 'utf8');
  const manifest: { version: string } = JSON.parse(text);
  return manifest.version;
}
