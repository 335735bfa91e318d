import type { BenchClient } from './database.ts';
import { type RunningSubject, startProgram } from './subject.ts';

/** As `npm start` has it. */
export const NODE_OPTIONS = ['--max-semi-space-size=16'];

/** The real server. Its rate limits are far away, so that it and not they are measured; all else is as it is by default. */
export function startBranchline(
  { folder, hashKey }: BenchClient,
  location: { file: string } | { url: string },
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningSubject> {
  const place = 'file' in location ? ['--database', location.file] : ['--database-url', location.url];
  const limits = ['--rate-limit', '10000', '--ingest-rate-limit', '100000'];
  return startProgram(
    'bin/branchline.js',
    ['serve', '--port', '0', ...limits, '--hash-key', hashKey, ...place],
    folder,
    NODE_OPTIONS,
    environment,
  );
}
