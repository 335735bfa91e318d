import type { Pair, SchemaChange } from './change.ts';
import { findMark } from './properties.ts';

/** Whether a schema is still to be used. */
export function compareUse({ old, new: after }: Pair): SchemaChange[] {
  const [was, is] = [findMark(old, 'deprecated'), findMark(after, 'deprecated')];
  if ((was === undefined) === (is === undefined)) return [];
  if (is === undefined) {
    return [
      { name: 'reactivated', sentence: 'it is not deprecated any more', side: 'old', pointer: was ?? old.pointer },
    ];
  }
  return [{ name: 'deprecated', sentence: 'it is deprecated now', side: 'new', pointer: is }];
}
