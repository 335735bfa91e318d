import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SecurityScheme } from '../../contract/index.ts';
import { schemathesis } from '../../test/proofs/support/schemathesis.ts';
import type { DocumentedContract } from './contracts.ts';
import { type RunningServer, TOKEN } from './server.ts';

/** What a tool says of a server. */
export interface Trial {
  readonly caught: boolean;
  readonly milliseconds: number;
  readonly requests: number;
  /** What it printed. */
  readonly output: string;
}

export type Tool = (contract: DocumentedContract, server: RunningServer) => Promise<Trial>;

const BRANCHLINE = fileURLToPath(new URL('../../bin/branchline.js', import.meta.url));
const TIME_LIMIT_MS = 180_000;

export const contractTest: Tool = (contract, server) => {
  const credentials = [...contract.contract.securitySchemes.keys()].flatMap((name) => [
    '--credential',
    `${name}=${TOKEN}`,
  ]);
  const args = [BRANCHLINE, 'contract', 'test', '--spec', contract.file, '--base-url', server.origin, '--seed', '1'];
  return run(process.execPath, [...args, ...credentials], server);
};

/** All phases and all checks, with the same credentials. */
export async function schemathesisTool(): Promise<Tool> {
  const tool = await schemathesis();
  if ('missing' in tool) throw new Error(tool.missing);
  return async (contract, server) => {
    const folder = mkdtempSync(join(tmpdir(), 'branchline-bench-schemathesis-'));
    const settings = join(folder, 'schemathesis.toml');
    writeFileSync(settings, writeSettings(contract.contract.securitySchemes));
    const everything = '--phases examples,coverage,fuzzing,stateful --checks all --continue-on-failure --seed 1';
    const args = ['--config-file', settings, 'run', contract.file, '--url', server.origin, ...everything.split(' ')];
    const trial = await run(tool.command, [...args, '--max-examples', '10'], server, folder);
    rmSync(folder, { recursive: true });
    return trial;
  };
}

/** Unknown keys of a query are ignored by most servers, so one more does not make a request a bad one. */
function writeSettings(schemes: ReadonlyMap<string, SecurityScheme>): string {
  const [name, secret] = TOKEN.split(':');
  const credentials = [...schemes].map(([scheme, { type, scheme: how }]) => {
    const head = `[auth.openapi.${scheme}]`;
    if (type === 'apiKey') return `${head}\napi_key = "${TOKEN}"`;
    if (type === 'http' && how?.toLowerCase() === 'basic')
      return `${head}\nusername = "${name}"\npassword = "${secret}"`;
    return type === 'http' ? `${head}\nbearer = "${TOKEN}"` : undefined;
  });
  const token = [...schemes.values()].some(({ type }) => type === 'oauth2' || type === 'openIdConnect');
  return [
    ...(token ? [`headers = { Authorization = "Bearer ${TOKEN}" }`] : []),
    '[generation]',
    'allow-extra-parameters = false',
    ...credentials.filter((one) => one !== undefined),
  ].join('\n');
}

function run(command: string, args: readonly string[], server: RunningServer, cwd?: string): Promise<Trial> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { cwd, timeout: TIME_LIMIT_MS, maxBuffer: 64 * 1_024 * 1_024 },
      (_error, stdout, stderr) =>
        resolve({
          caught: child.exitCode === 1,
          milliseconds: performance.now() - begun,
          requests: server.requests(),
          output: stdout + stderr,
        }),
    );
  });
}
