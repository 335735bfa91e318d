/** What other workspaces may use of the packaging of the Android library. */
export { Refusal } from './refusal.ts';
export { parseTag } from './tag.ts';

/**
 * Builds the Android library from this repository's sources, and puts it into a folder of Maven's layout under the tag.
 *
 * @throws Refusal where what is there must not be released, or is released already.
 * @throws UserError where the build can't be run.
 */
export async function release(tag: string, out: string): Promise<void> {
  // It brings the generator along.
  const building = await import('./release.ts');
  await building.release(tag, out);
}
