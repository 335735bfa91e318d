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
  /** What is wrong with it: what a report of the same server would say again, in other words or with other data. */
  readonly findings: ReadonlySet<string>;
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
  return run(process.execPath, [...args, ...credentials], { server, read: () => ['The server fails.'] });
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
    const trial = await run(tool.command, [...args, '--max-examples', '10'], { server, read: readFailures, folder });
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

/** Each failed check of each operation; below a heading that names the operation stands a line for each check. */
function readFailures(output: string): string[] {
  let operation = '';
  return output.split('\n').flatMap((line) => {
    operation = /^_{3,} (.+) _{3,}$/.exec(line)?.[1] ?? operation;
    const check = /^- (ST\d+ .+)$/.exec(line)?.[1];
    return check === undefined ? [] : [`${operation}: ${check}`];
  });
}

interface Running {
  readonly server: RunningServer;
  /** Reads what a tool that fails has printed. */
  readonly read: (output: string) => string[];
  readonly folder?: string;
}

function run(command: string, args: readonly string[], { server, read, folder }: Running): Promise<Trial> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { cwd: folder, timeout: TIME_LIMIT_MS, maxBuffer: 64 * 1_024 * 1_024 },
      (_error, stdout, stderr) =>
        resolve({
          findings: new Set(child.exitCode === 1 ? read(stdout + stderr) : []),
          milliseconds: performance.now() - begun,
          requests: server.requests(),
          output: stdout + stderr,
        }),
    );
  });
}
