// Builds the console when the package is installed. Without the devDependencies there is nothing to build it with, nor, in a
// package that brings the built console along, any need to.
import process from 'node:process';
import { fileURLToPath } from 'node:url';

try {
  const { build } = await import('vite');
  await build({ configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)), logLevel: 'warn' });
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('The console was not built, since Vite is not installed; `npm run build:console` builds it.\n');
}
