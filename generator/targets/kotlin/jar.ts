import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCacheFolder } from '../../cache-folder.ts';
import { ToolError } from '../../tool-error.ts';

/** What renders the Kotlin templates. */
export const jar = {
  artifact: 'org.openapitools:openapi-generator-cli:7.25.0',
  file: 'openapi-generator-cli-7.25.0.jar',
  sha256: '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae',
} as const;

const run = promisify(execFile);

/**
 * The path of the jar, in the user's cache (`$XDG_CACHE_HOME/branchline`, or `~/.cache/branchline`). Maven fetches it once,
 * from where its settings say.
 *
 * @throws ToolError where it can't be fetched, or is not the one that it should be.
 */
export async function findJar(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const cache = findCacheFolder(env);
  const path = join(cache, jar.file);
  const found = await sha256Of(path);
  if (found === undefined) await fetchTo(cache, path, env);
  if ((found ?? (await sha256Of(path))) !== jar.sha256)
    throw new ToolError(`${path} is damaged: its SHA-256 is not ${jar.sha256}; delete it and generate again.`);
  return path;
}

/** Two runs at the same time each fetch it; the renaming lets none of them see half of it. */
async function fetchTo(cache: string, path: string, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'fetching-'));
  try {
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
    const options = [`-Dartifact=${jar.artifact}`, `-DoutputDirectory=${folder}`];
    await run('mvn', ['--batch-mode', '--quiet', goal, ...options], { cwd: folder, env });
    await rename(join(folder, jar.file), path);
  } catch (error) {
    throw new ToolError(
      `${jar.artifact} is needed to generate Kotlin, and Maven ("mvn") could not fetch it; install Maven 3.8 or newer, or put the jar at ${path}.`,
      { cause: error },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function sha256Of(path: string): Promise<string | undefined> {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch {
    return undefined;
  }
}
