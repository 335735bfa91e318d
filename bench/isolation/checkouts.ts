import { run } from '../programs.ts';
import { fromRoot } from '../subjects/subject.ts';

/** A state of the project that is measured. */
export interface Checkout {
  name: string;
  /** The folder that it is in. */
  root: string;
}

/** The present code, and another checkout where one is given. */
export async function checkoutsOf(against: string | undefined): Promise<Checkout[]> {
  const present = { name: 'present', root: fromRoot('.') };
  if (against === undefined) return [present];
  return [present, { name: await commitOf(against), root: against }];
}

async function commitOf(root: string): Promise<string> {
  try {
    return (await run('git', ['rev-parse', '--short', 'HEAD'], root)).trim();
  } catch {
    // Unpacked from an archive.
    return 'before';
  }
}
