import { fileURLToPath } from 'node:url';
import { buildPackage } from './build-package.ts';

const out = fileURLToPath(new URL('../../dist/branchline-conformance/', import.meta.url));
await buildPackage(out);
process.stdout.write(`${out} is built. npm pack ${out} makes the tarball.\n`);
