import { Command, InvalidArgumentError } from 'commander';
import { isWebAddress, printWarnings, UserError } from '@branchline/command-line';
import type { RunningMock } from '@branchline/generator';
import { printLine } from '../print.ts';
import { watchFiles } from '../watch.ts';

interface Options {
  port: number;
  host: string;
  stateful?: boolean;
  strict?: boolean;
  watch?: boolean;
}

const examples = `
Examples:
  $ branchline mock openapi.yaml
  $ branchline mock openapi.yaml --port 8080 --stateful
  $ branchline mock openapi.yaml --watch                 while the contract is being written
  $ curl -H 'prefer: code=404' http://127.0.0.1:4010/pets/7
  $ curl -H 'prefer: example=sold-out' http://127.0.0.1:4010/pets

Exit codes: 0 it was ended, 2 the contract or the arguments can not be used, or the port is taken.
`;

/** `branchline mock`: serves a contract by its examples. */
export function mockCommand(): Command {
  return new Command('mock')
    .description('Serve an OpenAPI contract by its examples: requests are checked, nothing is generated.')
    .argument('<spec>', 'the contract, YAML or JSON; - reads it from standard input')
    .option('--port <port>', 'where to listen; 0 takes a free one', readPort, 4010)
    .option('--host <host>', 'the address to listen on; 0.0.0.0 for every machine', '127.0.0.1')
    .option('--stateful', 'keep what is sent by POST in memory, for GET, PUT, PATCH and DELETE')
    .option('--strict', 'refuse also what is wrong in the contract and hurts nobody, instead of a warning')
    .option('--watch', 'serve it again whenever the contract changes')
    .addHelpText('after', examples)
    .action(mock);
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

async function mock(spec: string, options: Options, command: Command): Promise<void> {
  if (options.watch === true && spec === '-') command.error('error: standard input can not be watched');
  if (options.watch === true && isWebAddress(spec)) command.error('error: a URL can not be watched');
  const { port, host, stateful, strict } = options;
  let running: RunningMock | undefined;
  const end = (): void => void running?.close().then(() => process.exit());
  const run = async (): Promise<void> => {
    const { startMock } = await import('@branchline/generator');
    const isFirst = running === undefined;
    try {
      running = await startMock({ spec, port, host, stateful, strict, standing: running });
    } catch (error) {
      throw explainListening(error, options);
    }
    // Before, a signal ends the process by itself: a contract may be long in coming, or in being read.
    if (isFirst) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
    describe(running);
  };
  await (options.watch === true ? watchFiles(() => Promise.resolve([spec]), run) : run());
}

function describe({ address, operations, warnings }: RunningMock): void {
  printWarnings(warnings);
  const width = Math.max(0, ...operations.map(({ path }) => path.length));
  for (const { method, path, id } of operations) printLine(`${method.padEnd(7)} ${path.padEnd(width)}  ${id}`);
  printLine(`Listening on ${address}`);
}

function explainListening(error: unknown, { port, host }: Options): unknown {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  const causes: Readonly<Record<string, string>> = {
    EADDRINUSE: `The port ${port} is taken; name another with --port.`,
    EACCES: `You may not listen on the port ${port}; name one above 1023 with --port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; name another with --host.`,
    ENOTFOUND: `There is no host ${host}; name another with --host.`,
  };
  const sentence = causes[String(code)];
  return sentence === undefined ? error : new UserError(sentence);
}
