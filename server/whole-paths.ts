import { isAbsolute, resolve, sep } from 'node:path';
import { UserError } from '@branchline/command-line';
import type { Config } from './config.ts';

/** The settings that name files. */
const FILES = [
  'database',
  'databasePasswordFile',
  'hashKeyFile',
  'tlsCert',
  'tlsKey',
  'oidcClientSecretFile',
] as const satisfies (keyof Config)[];

type FileSettings = Partial<Pick<Config, (typeof FILES)[number] | 'databaseUrl'>>;

/**
 * Settings whose files are named by their whole paths: the working directory may be removed while they are used.
 *
 * @throws UserError where that has happened already, and one is named by a relative path
 */
export function wholePaths<Settings extends FileSettings>(settings: Settings): Settings {
  const made: FileSettings = {};
  for (const name of FILES) {
    const path = settings[name];
    // With PostgreSQL the database file is not used.
    if (path === undefined || (name === 'database' && settings.databaseUrl !== undefined)) continue;
    made[name] = wholePath(path);
  }
  return { ...settings, ...made };
}

function wholePath(path: string): string {
  if (isAbsolute(path)) return path;
  // The folder may be gone when the path is used, so no `..` may follow it; one after a link is for the file system to resolve.
  const [up = ''] = /^(?:\.\.?\/)*/.exec(path) ?? [];
  const folder = resolve(findFolder(path), up);
  return `${folder.endsWith(sep) ? folder : folder + sep}${path.slice(up.length)}`;
}

function findFolder(path: string): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new UserError(
      `The working directory is gone, so the file ${path} can't be found. ` +
        'Change to a folder that is there, or name the file by its whole path.',
      { cause },
    );
  }
}
