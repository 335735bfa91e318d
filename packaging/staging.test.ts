import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { stage } from './staging.ts';

const SDK = fileURLToPath(new URL('../android-sdk', import.meta.url));
const CONTRACT = 'inspector/src/commonMain/generated/branchline/inspector/wire/InspectorContract.kt';

it('copies the sources of the library, which then report the tag as their version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-staging-'));
  try {
    await stage(SDK, folder, '9.8.7-rc.6');
    const before = await readFile(join(SDK, CONTRACT), 'utf8');
    const after = await readFile(join(folder, CONTRACT), 'utf8');
    expect(after).toContain('const val LIBRARY_VERSION: String = "9.8.7-rc.6"\n');
    expect(after.split('\n').filter((line) => !before.includes(line))).toHaveLength(1);
    expect(existsSync(join(folder, 'target'))).toBe(false);
    expect(existsSync(join(folder, '.mvn/maven.config'))).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});
