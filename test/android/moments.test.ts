import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnless } from '../support/describe-unless.ts';
import { archive, readTree } from '../../packaging/archive.ts';
import { unzip } from './support/aar.ts';
import { annotations, kotlinLibrary, noR8, released } from './support/built.ts';
import { kotlinc, run } from './support/programs.ts';
import { r8 } from './support/shrink.ts';

const PATIENCE_MS = 180_000;
const MOMENTS = fileURLToPath(new URL('consumers/Moments.kt', import.meta.url));

describeUnless(noR8(), 'moments and ids of Kotlin', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'branchline-moments-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('are strings also where R8 renames what it can', { timeout: PATIENCE_MS }, async () => {
    const library = released('prod', '.jar');
    const classes = join(folder, 'classes');
    await kotlinc([MOMENTS], [library, kotlinLibrary(), annotations()], classes);
    const app = join(folder, 'app.jar');
    await writeFile(app, archive(await readTree(classes)));
    await unzip(library, join(folder, 'library'));
    const main = join(folder, 'main.pro');
    await writeFile(main, '-keep class com.example.moments.MomentsKt { public static void main(java.lang.String[]); }');
    const out = join(folder, 'shrunk.jar');
    await r8({ jars: [app, library], rules: [join(folder, 'library/META-INF/proguard/inspector.pro'), main], out });
    expect(await run('java', ['-cp', out, 'com.example.moments.MomentsKt'])).toContain(
      '{at=string, id=string, all=list<string>}',
    );
  });
});
