import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { collectContents } from '../../packaging/contents.ts';
import { VARIANTS } from '../../packaging/coordinates.ts';
import type { Table } from '../measure.ts';
import { whole } from '../numbers.ts';
import { run } from '../programs.ts';
import type { BenchBuild } from './build.ts';
import { download } from './download.ts';

/** Analytics libraries for Android on Maven Central, as they were when this was measured. */
const OTHERS = [
  { name: 'Mixpanel', archives: ['com.mixpanel.android:mixpanel-android:7.3.1:aar'] },
  { name: 'PostHog', archives: ['com.posthog:posthog-android:3.27.2:aar'] },
  { name: 'Segment (Java)', archives: ['com.segment.analytics.android:analytics:4.11.3:aar'] },
  { name: 'Amplitude', archives: ['com.amplitude:analytics-android:1.26.0:aar'] },
  {
    name: 'Segment (Kotlin), its core included',
    archives: ['com.segment.analytics.kotlin:android:1.19.2:aar', 'com.segment.analytics.kotlin:core:1.19.2:jar'],
  },
] as const;

/** Sizes of archives as apps download them, and all methods that their classes declare. */
export async function measureSizes(build: BenchBuild): Promise<Table> {
  const rows: string[][] = [];
  for (const variant of VARIANTS.toReversed()) {
    const contents = await collectContents(build, { variant, tag: '0.0.0', kotlin: '' }, new Map());
    const file = join(build.target, `${variant}.aar`);
    await writeFile(file, contents['.aar']);
    rows.push(await rowOf(`Inspector, ${variant}`, '', [file]));
  }
  for (const { name, archives } of OTHERS) {
    const files = await Promise.all(archives.map((archive) => download(archive, build.target)));
    rows.push(await rowOf(name, archives[0].split(':')[2] ?? '', files));
  }
  return { columns: ['Library', 'Version', 'Archive', 'Methods'], rows };
}

async function rowOf(name: string, version: string, archives: readonly string[]): Promise<string[]> {
  let [bytes, methods] = [0, 0];
  for (const archive of archives) {
    bytes += (await stat(archive)).size;
    methods += await methodsIn(archive);
  }
  return [name, version, `${whole(bytes / 1_024)} KiB`, whole(methods)];
}

/** As javap lists them: constructors, static initializers and what the compiler made are methods too. */
async function methodsIn(archive: string): Promise<number> {
  const folder = `${archive}.classes`;
  await mkdir(folder);
  const jar = archive.endsWith('.aar') ? await classesOf(archive, folder) : archive;
  await run('jar', ['xf', jar], folder);
  const classes = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.class'));
  const listed = await run('javap', ['-p', ...classes], folder);
  return listed.split('\n').filter((line) => /\(|static \{\}/.test(line)).length;
}

async function classesOf(aar: string, folder: string): Promise<string> {
  await run('jar', ['xf', aar, 'classes.jar'], folder);
  return join(folder, 'classes.jar');
}
