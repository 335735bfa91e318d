import { exec } from 'node:child_process';
import type { Seeding } from '../service/seeding.ts';

const TIME_LIMIT_MS = 60_000;

/**
 * Lets a shell command put a branch into a status. It finds the branch in the environment: `BRANCHLINE_BRANCH_ID`,
 * `BRANCHLINE_BRANCH_NAME`, `BRANCHLINE_WORKSPACE_ID`, and the wanted status in `BRANCHLINE_BRANCH_STATUS`. Exit code 0 says
 * that the branch has the status now.
 */
export function seedByCommand(command: string): Seeding {
  return ({ branchId, branchName }, status, workspace) => {
    const env = {
      ...process.env,
      BRANCHLINE_BRANCH_ID: branchId,
      BRANCHLINE_BRANCH_NAME: branchName,
      BRANCHLINE_BRANCH_STATUS: status,
      BRANCHLINE_WORKSPACE_ID: workspace,
    };
    return new Promise((resolve, reject) => {
      exec(command, { env, timeout: TIME_LIMIT_MS }, (error, _stdout, stderr) => {
        if (error === null) resolve();
        else reject(new Error(`The seed command failed for status ${status}: ${lastLine(stderr) || error.message}`));
      });
    });
  };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
