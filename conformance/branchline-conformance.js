#!/usr/bin/env node
// Plain, old JavaScript: it must be read by any Node, to say that it is too old.
import { readFileSync } from 'node:fs';
import process from 'node:process';

// Node would open a debugger then, through which every user of this machine reads the memory of this process.
process.on('SIGUSR1', () => {});

const { version, engines } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const needed = Number(/\d+/.exec(engines.node)[0]);

if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(
    `branchline-conformance needs Node ${needed} or newer, and this is ${process.versions.node}. ` +
      `\`npm install --save-dev node@${needed}\` brings the right one into your project, and \`npx branchline-conformance\` uses it.\n`,
  );
  process.exitCode = 2;
} else {
  const { run } = await import('./program.ts');
  await run(process.argv, version);
}
