import { UserError } from '@branchline/command-line';
import { sizeOf } from './file-size.ts';
import { listLinks, resolveLinks } from './resolve-links.ts';
import { setAsideLogPath } from './set-aside-log.ts';

/**
 * To be called before a database is opened by a link: where its file was moved away, and the link put in its place, its log may still
 * lie beside that, where nobody looks for it.
 *
 * @throws UserError when a log with anything in it does
 */
export function refuseStrayLog(database: string): void {
  for (const link of listLinks(database)) {
    for (const log of [`${link}-wal`, setAsideLogPath(link)]) {
      if (sizeOf(log) === 0) continue;
      throw new UserError(
        `The file ${log} holds what was stored last in a database that was at ${link}, where there is a link now, which leads to ` +
          `${resolveLinks(link)}. If that is the same database, move it back to ${link}, in place of the link, and start again; ` +
          `if it is to be used without that, move ${log} to another folder.`,
      );
    }
  }
}
