import type { Standing } from '../standing.ts';

/** What stands before a line. */
export const MARKS: Readonly<Record<Standing, string>> = {
  failed: '✗',
  error: '!',
  'not-demanded': '✗',
  waived: '~',
  skipped: '–',
  passed: '✓',
  seen: '·',
  'not-seen': '·',
};
