import { execFile } from 'node:child_process';
import { dirname } from 'node:path';

/** A command of a page, and the output that is shown for it. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** What is shown in the blocks of a page that are marked as `console`. */
export function readShown(page: string): Shown[] {
  const blocks = [...page.matchAll(/^```console\n(.*?)^```/gms)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [, command = '', output = ''] = /^((?:[^\n]*\\\n)*[^\n]*)\n?(.*)$/s.exec(text) ?? [];
        return { command, output };
      }),
  );
}

/**
 * Types the commands into one shell, as a reader would.
 *
 * @returns what came on either stream after each.
 */
export async function typeCommands(commands: readonly string[], cwd: string): Promise<string[]> {
  const separator = '\u241E';
  const script = commands.map((command) => `${command}\nprintf '${separator}'\n`).join('');
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: process.env['HOME'],
    npm_config_loglevel: 'silent',
  };
  const output = await new Promise<string>((resolve) => {
    execFile('bash', ['-c', `exec 2>&1\n${script}`], { cwd, env }, (_error, stdout) => resolve(stdout));
  });
  return output.split(separator).slice(0, -1);
}

/** What is shown as a pattern: a number is any number, `…` is anything, and blank lines are left out on both sides. */
export function makePattern(output: string): RegExp {
  const lines = splitLines(output).map((line) =>
    line === '…' ? '[^]*' : `${line.split('…').map(escapeText).join('.*')}\n`,
  );
  return new RegExp(`^${lines.join('')}$`);
}

/** Text without its blank lines. */
export function removeBlankLines(text: string): string {
  return splitLines(text)
    .map((line) => `${line}\n`)
    .join('');
}

function splitLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^$()|[\]\\{}]/g, String.raw`\$&`).replaceAll(/\d+/g, String.raw`\d+`);
}
