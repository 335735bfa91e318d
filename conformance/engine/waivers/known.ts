import { CouldNotRun } from '../../could-not-run.ts';
import type { Waivable, Waiver } from './waiver.ts';

/**
 * Makes sure that waivers name what the run can judge, and nothing twice.
 *
 * @throws CouldNotRun with a sentence that names the waiver.
 */
export function checkWaiverNames(waivers: readonly Waiver[], cases: readonly Waivable[]): void {
  const ids = new Set(cases.map(({ id }) => id));
  const clauses = new Set(cases.flatMap((one) => one.clauses));
  const seen = new Set<string>();
  for (const waiver of waivers) {
    const { case: id, clause } = waiver;
    if (id !== undefined && !ids.has(id)) refuse(`there is no case "${id}" here; --list shows the cases`);
    if (clause !== undefined && !clauses.has(clause))
      refuse(`no case here is about a clause "${clause}"; --explain shows a clause`);
    const name = id ?? clause ?? '';
    if (seen.has(name)) refuse(`"${name}" is waived twice`);
    seen.add(name);
  }
}

function refuse(why: string): never {
  throw new CouldNotRun(`--waivers: ${why}.`);
}
