import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ToolError } from '../../tool-error.ts';

const OLDEST = 11;
const run = promisify(execFile);

/**
 * The command that starts Java: that of `JAVA_HOME`, or the first on the path.
 *
 * @throws ToolError where there is none, or one that is too old.
 */
export async function findJava(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const home = env['JAVA_HOME'];
  const command = home === undefined || home === '' ? 'java' : join(home, 'bin', 'java');
  const version = await readVersion(command, env);
  if (version === undefined)
    throw new ToolError(
      `Java is needed to generate Kotlin, and "${command}" is not there; install a JDK 17, or name the other targets.`,
    );
  if (version < OLDEST)
    throw new ToolError(
      `Java ${OLDEST} or newer is needed to generate Kotlin, and "${command}" is Java ${version}; install a JDK 17, or name the other targets.`,
    );
  return command;
}

async function readVersion(command: string, env: NodeJS.ProcessEnv): Promise<number | undefined> {
  try {
    const { stderr } = await run(command, ['-version'], { env });
    // Java 8 calls itself 1.8.
    const [, major] = /version "(?:1\.)?(\d+)/.exec(stderr) ?? [];
    return Number(major ?? 0);
  } catch {
    return undefined;
  }
}
