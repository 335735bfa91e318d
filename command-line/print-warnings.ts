import { escapeForTerminal } from './escape-for-terminal.ts';

/** How many warnings are shown at once: a contract may give thousands. */
const MOST_SHOWN = 50;

/** Shows warnings on standard error, a line each; the first of many, and how many more there are. */
export function printWarnings(warnings: readonly string[]): void {
  const more = warnings.length - MOST_SHOWN;
  const rest = more > 0 ? [`and ${more} more; correct these first.`] : [];
  for (const warning of [...warnings.slice(0, MOST_SHOWN), ...rest])
    process.stderr.write(`Warning: ${escapeForTerminal(warning)}\n`);
}
