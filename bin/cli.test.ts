import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { program, run } from './cli.ts';

const all = listCommands(await program());

function listCommands(
  command: Command,
  names: readonly string[] = [],
): { words: readonly string[]; command: Command }[] {
  const inner = command.commands.flatMap((child) => listCommands(child, [...names, child.name()]));
  return [{ words: names, command }, ...inner];
}

interface Said {
  stdout: string;
  stderr: string;
  exitCode: unknown;
}

/** Runs the command line in this process. */
async function say(...words: string[]): Promise<Said> {
  const said = { stdout: '', stderr: '' };
  // Each run listens for the end of its reader.
  vi.spyOn(process.stdout, 'on').mockReturnThis();
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += String(text);
      return true;
    });
  }
  await run(['node', 'branchline', ...words]);
  vi.restoreAllMocks();
  return { ...said, exitCode: process.exitCode };
}
afterEach(() => {
  process.exitCode = undefined;
});

describe.each(all)('$words', ({ words, command }) => {
  it('has help with an example, and says what can not be left out', async () => {
    const { stdout, exitCode } = await say(...words, '--help');
    expect(stdout).toMatch(/\nExamples?:\n {2}\$ branchline /);
    expect(exitCode).toBe(0);
    for (const { long, mandatory, defaultValue } of command.options) {
      if (!mandatory || defaultValue !== undefined) continue;
      expect(stdout).toMatch(new RegExp(`\\n {2}${long} [^]*?\\(required\\)`));
    }
  });
});

it.each([
  ['genrate', '(Did you mean generate?)', ['genrate', '--help']],
  ['genrate', '(Did you mean generate?)', ['-h', 'genrate']],
  ['genrate', '(Did you mean generate?)', ['help', 'genrate']],
  ['crate', '(Did you mean create?)', ['workspace', 'crate', '--help']],
  ['crate', '(Did you mean create?)', ['workspace', 'help', 'crate']],
  ['frobnicate', '(--help shows how it is used)', ['frobnicate', '--help']],
])('there is no command %s, and who asks for its help is told so', async (word, nearest, words) => {
  const { stdout, stderr, exitCode } = await say(...words);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain(`error: unknown command '${word}'\n`);
  expect(stderr).toContain(nearest);
});

it.each([
  [['help', 'generate'], 'Usage: branchline generate '],
  [['workspace', 'help', 'create'], 'Usage: branchline workspace create '],
  [['conformance', '--base-url', 'http://127.0.0.1', '--help'], 'Usage: branchline conformance '],
  [['mock', 'openapi.yaml', '--help'], 'Usage: branchline mock '],
])('%j shows help', async (words, usage) => {
  const { stdout, stderr, exitCode } = await say(...words);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout.startsWith(usage)).toBe(true);
});
