import type { Json } from '@branchline/contract';

/** Values that programs get wrong. Each is sent wherever it may stand, whatever the seed. */
export const edges: readonly Json[] = [
  'é',
  '😀',
  "O'Neil",
  'x'.repeat(1_200),
  '',
  '-1',
  '1.5',
  '4294967296',
  -1,
  1.5,
  2 ** 31,
  [],
];

/** Texts of which most parameters take none. */
export const edgeTexts: readonly string[] = ['x'.repeat(1_200), 'é', '😀', "'", '-1', '1.5', '9'.repeat(30)];

/** Whether one value may stand where the other does, as far as its type tells. */
export function isAlike(edge: Json, value: Json | undefined): boolean {
  return typeof edge === typeof value && Array.isArray(edge) === Array.isArray(value) && value !== null;
}
