import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeUnwritableScratch } from './scratch-folder.ts';

test('a folder in which no file can be made is told of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'branchline-scratch-'));
  try {
    expect(describeUnwritableScratch(folder)).toBeUndefined();
    expect(describeUnwritableScratch(join(folder, 'gone'))).toMatch(/ENOENT.*gone'.*Name another folder by TMPDIR\.$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
