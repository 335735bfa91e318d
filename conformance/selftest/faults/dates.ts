import type { Fault } from '../fault.ts';
import { cell } from './export-rows.ts';

const MINUTE_MS = 60_000;

const later = (ms: number) => (date: Date) => new Date(date.getTime() + ms).toISOString();

const WRONG: readonly [name: string, does: string, write: (date: Date) => string][] = [
  [
    'month-from-zero',
    'counts months from zero',
    (date) =>
      `${date.toISOString().slice(0, 5)}${String(date.getUTCMonth()).padStart(2, '0')}${date.toISOString().slice(7)}`,
  ],
  [
    'milliseconds-as-seconds',
    'takes milliseconds for seconds',
    (date) => new Date(date.getTime() * 1_000).toISOString(),
  ],
  [
    'seconds-as-milliseconds',
    'takes seconds for milliseconds',
    (date) => new Date(date.getTime() / 1_000).toISOString(),
  ],
  ['minutes-off', 'is 37 minutes off though the clock is right', later(37 * MINUTE_MS)],
  ['days-off', 'is eight days off', later(-8 * 24 * 60 * MINUTE_MS)],
];

/** Dates of the export that are another moment than the one that they tell of. */
export const dates: readonly Fault[] = WRONG.flatMap(([name, does, write]) =>
  ['creationDate', 'markedReadyForReviewDate', 'branchMergedDate'].map((column) =>
    cell(`${column}-${name}`.toLowerCase(), `${does} in ${column}`, column, (date) =>
      date === '' ? '' : write(new Date(date)),
    ),
  ),
);
