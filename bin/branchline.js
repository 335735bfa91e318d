#!/usr/bin/env node
// Plain, old JavaScript: it must be read by any Node, to say that it is too old.
import process from 'node:process';

const NEEDED = 24;

// Node would open a debugger then, through which every user of this machine reads the memory of this process.
process.on('SIGUSR1', () => {});

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(
    `Branchline needs Node ${NEEDED} or newer, and this is ${process.versions.node}. ` +
      'In a clone of its repository `npm ci` brings the right one, elsewhere `npm install node@24`; `npx branchline` uses it.\n',
  );
  process.exitCode = 2;
} else {
  const { keepCompiled } = await import('./compile-cache.ts');
  keepCompiled();
  const { run } = await import('./cli.ts');
  await run(process.argv);
}
