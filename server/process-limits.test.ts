import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { limitOf } from './process-limits.ts';

const module = new URL('./process-limits.ts', import.meta.url).href;

/** What a process says of its limits that a shell has limited. */
function limited(how: string, what: string): number {
  const program = `import { limitOf } from ${JSON.stringify(module)}; console.log(limitOf(${JSON.stringify(what)}));`;
  const args = ['-c', `${how}; exec "$0" --input-type=module --eval "$1"`, process.execPath, program];
  return Number(execFileSync('sh', args, { encoding: 'utf8' }));
}

it.skipIf(process.platform === 'win32')('the system says how many files a process may have open', () => {
  expect(limitOf('open_files')).toBeGreaterThan(0);
  expect(limited('ulimit -n 200', 'open_files')).toBe(200);
});

it.skipIf(process.platform !== 'linux')('the system says how much address space a process may use', () => {
  expect(limited('ulimit -v 4000000', 'virtual_memory_bytes')).toBe(4_096_000_000);
  expect(limited('true', 'virtual_memory_bytes')).toBe(Infinity);
});
