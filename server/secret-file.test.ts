import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSecret } from './secret-file.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-secret-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(content: string): Promise<string | undefined> {
  const file = join(folder, 'secret');
  writeFileSync(file, content, { mode: 0o600 });
  return readSecret({ secret: undefined, file, what: 'password', flag: '--password-file' });
}

it.each(['secret', ' with blanks ', 'with\ta tab\t', 'two\nlines'])(
  'is all of %j in its file, without the line ends behind it',
  async (secret) => {
    for (const end of ['', '\n', '\r\n', '\n\n']) expect(await read(secret + end)).toBe(secret);
  },
);

it.each(['', '\n', ' \n'])('is refused where its file holds only %j', async (content) => {
  await expect(read(content)).rejects.toThrow(/^The file .+ of --password-file is empty\.$/);
});
