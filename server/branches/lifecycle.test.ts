import { describe, expect, it } from 'vitest';
import { type BranchStatus, isOpen, refusedTransition } from './lifecycle.ts';

const STATUSES: BranchStatus[] = ['Draft', 'ReadyForReview', 'Approved', 'Merged', 'Closed'];

describe('the life of a branch', () => {
  it('allows these steps and no others', () => {
    const steps = STATUSES.flatMap((from) => STATUSES.filter((to) => to !== from).map((to) => [from, to] as const));
    const allowed = steps.filter(([from, to]) => refusedTransition(from, to) === undefined);
    expect(allowed.map((step) => step.join(' → '))).toEqual([
      'Draft → ReadyForReview',
      'Draft → Closed',
      'ReadyForReview → Draft',
      'ReadyForReview → Approved',
      'ReadyForReview → Closed',
      'Approved → Draft',
      'Approved → ReadyForReview',
      'Approved → Merged',
      'Approved → Closed',
      'Closed → Draft',
    ]);
  });

  it.each([
    ['Draft', 'Merged', "A Draft branch can't become Merged. From Draft it can become ReadyForReview or Closed."],
    [
      'ReadyForReview',
      'Merged',
      "A ReadyForReview branch can't become Merged. From ReadyForReview it can become Draft, Approved, or Closed.",
    ],
    ['Closed', 'Approved', "A Closed branch can't become Approved. From Closed it can become Draft."],
    ['Merged', 'Draft', "A Merged branch can't become Draft. Merged is final."],
  ] as const)('says why %s can not become %s', (from, to, sentence) => {
    expect(refusedTransition(from, to)).toBe(sentence);
  });

  it('holds the name in Draft, ReadyForReview and Approved', () => {
    expect(STATUSES.filter(isOpen)).toEqual(['Draft', 'ReadyForReview', 'Approved']);
  });
});
