import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schemathesis } from '../../test/proofs/support/schemathesis.ts';
import { documentedContract } from './documented-contract.ts';
import type { Tool } from './trial.ts';

const EVERYTHING = '--phases examples,coverage,fuzzing,stateful --checks all --continue-on-failure --seed 1';

/** For each phase: more found nothing more. */
const EXAMPLES = 10;

/** Some of the services never answer: after so long, what was found counts as nothing. */
const TIME_LIMIT_MS = 120_000;

/** Schemathesis with all phases and all checks, and no more knowledge than the documents give. */
export async function schemathesisTool(): Promise<Tool> {
  const tool = await schemathesis();
  if ('missing' in tool) throw new Error(tool.missing);
  return async (service, timeoutMs) => {
    const folder = mkdtempSync(join(tmpdir(), 'branchline-bench-schemathesis-'));
    const { origin, accounts, requests } = service;
    const [{ workspaceId, name, secret } = { workspaceId: '', name: '', secret: '' }] = accounts;
    const contract = join(folder, 'openapi.json');
    const settings = join(folder, 'schemathesis.toml');
    writeFileSync(contract, JSON.stringify(documentedContract));
    writeFileSync(settings, settingsOf(workspaceId, name, secret));
    const args = ['--config-file', settings, 'run', contract, '--url', origin, ...EVERYTHING.split(' ')];
    const begun = performance.now();
    const exitCode = await exitCodeOf(
      tool.command,
      [...args, '--max-examples', String(EXAMPLES), '--request-timeout', String(timeoutMs / 1_000)],
      folder,
    );
    const milliseconds = performance.now() - begun;
    rmSync(folder, { recursive: true });
    return { caught: exitCode === 1, milliseconds, requests: requests() };
  };
}

function settingsOf(workspaceId: string, username: string, password: string): string {
  return [
    '[generation]',
    'allow-extra-parameters = false',
    '[parameters]',
    `"path.workspaceId" = "${workspaceId}"`,
    '[auth.openapi.serviceAccount]',
    `username = "${username}"`,
    `password = "${password}"`,
  ].join('\n');
}

function exitCodeOf(command: string, args: readonly string[], cwd: string): Promise<number | null> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd, timeout: TIME_LIMIT_MS, maxBuffer: 64 * 1_024 * 1_024 }, () =>
      resolve(child.exitCode),
    );
  });
}
