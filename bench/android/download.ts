import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../programs.ts';

const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

/** Fetches an artifact by Maven, into a folder of its own. */
export async function download(artifact: string, target: string): Promise<string> {
  const folder = await mkdtemp(join(target, 'other-'));
  await run('mvn', ['--batch-mode', '--quiet', COPY, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]);
  const [file = ''] = await readdir(folder);
  return join(folder, file);
}
