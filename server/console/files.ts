import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that `npm run build:console` writes to. */
export const BUILT_CONSOLE = fileURLToPath(new URL('dist', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The built console. */
export interface ConsoleFiles {
  /** Path of the one HTML page. */
  page: string;
  assets: ConsoleAsset[];
}

export interface ConsoleAsset {
  /** With a hash of its content in the name. */
  name: string;
  path: string;
  type: string;
}

/** @returns undefined if the console has not been built */
export function findConsole(folder: string): ConsoleFiles | undefined {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return undefined;
  const assets = readdirSync(join(folder, 'assets')).flatMap((name) => {
    const type = TYPES[extname(name)];
    return type === undefined ? [] : [{ name, path: join(folder, 'assets', name), type }];
  });
  return { page, assets };
}
