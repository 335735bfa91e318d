import { parseArgs } from 'node:util';
import { faults } from './faults/index.ts';
import type { Difference } from './fault.ts';
import { listen } from './service/listen.ts';
import { variants } from './variants/index.ts';

const known = [...faults, ...variants];

const help = `node conformance/selftest/server.ts [--port N] [--fault NAME] [--every] [--list]

An independent service, correct but for the one fault or lawful variant that is named. Says on standard output, as one line of
JSON, where it listens and which accounts it knows. POST /seed with {workspaceId, branchId, branchStatus} puts a branch into a status.
With --every there is one service for each fault and variant, on a port of its own, and a line for each.
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    fault: { type: 'string', default: 'correct' },
    every: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(help);
} else if (values.list) {
  for (const { name, does } of known) process.stdout.write(`${name.padEnd(34)} ${does}\n`);
} else if (values.every) {
  for (const difference of known) await serve(difference, 0);
} else {
  const difference = known.find(({ name }) => name === values.fault);
  if (difference === undefined) {
    process.stderr.write(`There is no fault or variant "${values.fault}"; --list names them.\n`);
    process.exitCode = 2;
  } else {
    await serve(difference, Number(values.port));
  }
}

async function serve({ name, change }: Difference, port: number): Promise<void> {
  const service = await listen({ change: change(), port });
  const accounts = service.accounts.map(({ workspaceId, name, secret }) => ({
    workspaceId,
    account: `${name}:${secret}`,
  }));
  process.stdout.write(`${JSON.stringify({ name, baseUrl: service.origin, accounts })}\n`);
}
