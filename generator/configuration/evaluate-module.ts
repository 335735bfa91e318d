import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '@branchline/contract';
import { generatedHeader } from '../target.ts';
import { defineConfig } from './config.ts';

/** What a configuration imports by the name of the package, though that may be installed elsewhere, as by `npx`. */
const BRANCHLINE = { defineConfig, generatedHeader };

/**
 * Runs a module in JavaScript or TypeScript, whatever the nearest `package.json` says of its type, and gives its default export, or what
 * CommonJS calls `module.exports`.
 *
 * @throws what the module throws, or what is wrong in its syntax
 */
export async function evaluateModule(file: string, text: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const filename = resolve(file);
  // Nothing is kept, so that it is the same when it is watched, and that nobody else of the machine can bring code into it.
  const jiti = createJiti(pathToFileURL(filename).href, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    virtualModules: { branchline: BRANCHLINE },
  });
  const module = await jiti.evalModule(text, { id: filename, filename, async: true, forceTranspile: true });
  return isObject(module) && '__esModule' in module ? module['default'] : module;
}
