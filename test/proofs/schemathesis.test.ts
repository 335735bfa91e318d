import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import contractDocument from '../../server/generated/contract.json' with { type: 'json' };
import type { ServerProcess } from '../support/command-line.ts';
import { contractOperations } from './support/contract-operations.ts';
import { type Access, type Installation, install, newAuthorization, WORKSPACE } from './support/installation.ts';
import { scale } from './support/scale.ts';
import { schemathesis } from './support/schemathesis.ts';

const EXAMPLES = scale({ usual: 10, full: 200 });

let folder: string;
let installation: Installation;
let server: ServerProcess;
let tool: { command: string } | { missing: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-schemathesis-'));
  tool = await schemathesis();
  installation = await install();
  server = await installation.start();
  const contract: unknown = await (await fetch(`${server.origin}/docs/openapi.json`)).json();
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(asItIsMeant(contract)));
}, 180_000);
afterAll(async () => {
  await installation.remove();
  rmSync(folder, { recursive: true });
});

describe('Schemathesis finds nothing, in any phase and by any check', () => {
  it.for<[who: string, access: () => Promise<Partial<Access>>, mayUse?: string]>([
    [
      'a service account with all scopes',
      async () => ({ authorization: installation.access.authorization }),
      'GET /workspaces/{workspaceId}/branches/v1',
    ],
    [
      'a service account that may only read reports',
      () => accountWith('inspector:read'),
      'GET /workspaces/{workspaceId}/inspector/budget/v1',
    ],
    [
      'a service account that may only create branches',
      () => accountWith('branches:create'),
      'POST /workspaces/{workspaceId}/branches/v1',
    ],
    ['an API key', async () => ({ apiKey: installation.access.apiKey }), 'POST /inspector/batches/v1'],
    ['nobody', async () => ({})],
  ])('as %s', { timeout: 900_000 }, async ([, access, mayUse], { skip }) => {
    if ('missing' in tool) {
      expect(process.env['CI'], tool.missing).toBeUndefined();
      return skip(tool.missing);
    }
    const { exitCode, output } = await check(tool.command, await access());
    expect(output).toContain(`Tested: ${contractOperations().length - ENDLESS.length}`);
    expect(exitCode, output).toBe(0);
    // Operations that never let it in, and those it could make no right request to, it names in a list.
    if (mayUse !== undefined) expect(output).not.toContain(`- ${mayUse}`);
    expect(server.log()).not.toContain('request failed');
  });
});

async function accountWith(scope: 'inspector:read' | 'branches:create'): Promise<Partial<Access>> {
  return { authorization: await newAuthorization(installation.administration, { scopes: [scope] }) };
}

/** The paths of operations that answer with a stream of events: the tool would wait for its end. */
const ENDLESS = Object.entries<Record<string, unknown>>(contractDocument.paths).flatMap(([path, { get }]) =>
  JSON.stringify(get ?? null).includes('"text/event-stream"') ? [path] : [],
);

/**
 * The contract without what has no end, and with what its extensions say in words. Of a cursor no client can know which ones are good, and so none is sent.
 * The items of an array that are judged one by one do not make the request a bad one, whatever they are.
 */
function asItIsMeant(contract: unknown): unknown {
  return JSON.parse(JSON.stringify(contract), (key, value: unknown) => {
    if (ENDLESS.includes(key)) return undefined;
    if (Array.isArray(value)) return value.filter((one) => Object(one).$ref !== '#/components/parameters/Cursor');
    if (!('x-branchline-each' in Object(value))) return value;
    const array = Object(value);
    return { ...array, items: { anyOf: [array.items, {}] } };
  });
}

async function check(command: string, access: Partial<Access>): Promise<{ exitCode: number; output: string }> {
  const settings = join(folder, 'schemathesis.toml');
  writeFileSync(settings, settingsOf(access));
  const contract = join(folder, 'openapi.json');
  const everything = '--phases examples,coverage,fuzzing,stateful --checks all --continue-on-failure --seed 1'.split(
    ' ',
  );
  const amount = ['--max-examples', String(EXAMPLES)];
  const args = ['--config-file', settings, 'run', contract, '--url', server.origin, ...everything, ...amount];
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd: folder, maxBuffer: 64 * 1_024 * 1_024 }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

/** What answers a request that the contract allows: 410 too, since of a sign-in link no client can know which one works. */
const ALLOWED_ANSWERS = ['2xx', '3xx', '401', '403', '404', '409', '410', '429', '5xx'];

/** Unknown keys of a query are ignored (docs/decisions.md), so one more does not make a request a bad one. */
function settingsOf({ authorization, apiKey }: Partial<Access>): string {
  const lines = [
    // Else it asks for the workspace of the contract's examples, which answers 401 to whatever is asked of it.
    '[parameters]',
    `"path.workspaceId" = "${WORKSPACE}"`,
    '[generation]',
    'allow-extra-parameters = false',
    '[checks.positive_data_acceptance]',
    `expected-statuses = ${JSON.stringify(ALLOWED_ANSWERS)}`,
  ];
  if (authorization !== undefined) {
    const [name, secret] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
    lines.push('[auth.openapi.serviceAccount]', `username = "${name}"`, `password = "${secret}"`);
  }
  if (apiKey !== undefined) lines.push('[auth.openapi.apiKey]', `api_key = "${apiKey}"`);
  return lines.join('\n');
}
