import { createTwoFilesPatch } from 'diff';
import type { Change } from './output.ts';

/** The changes to generated files as one unified diff, from what there is to what should be; empty: no drift. */
export function diffChanges(changes: readonly Change[]): string {
  return changes
    .filter(({ kind }) => kind !== 'create')
    .map(({ path, before, ...change }) => {
      const text = change.kind === 'remove' ? undefined : change.text;
      const from = before === undefined ? '/dev/null' : `a/${path}`;
      const to = text === undefined ? '/dev/null' : `b/${path}`;
      return createTwoFilesPatch(from, to, before ?? '', text ?? '', undefined, undefined, { context: 3 });
    })
    .join('');
}
