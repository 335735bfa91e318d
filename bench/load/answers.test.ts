import { expect, it } from 'vitest';
import { type Answers, countAnswer, describeAnswers, noAnswer } from './answers.ts';

it('counts answers by status and by how they failed to come', () => {
  const answers: Answers = {};
  for (const answer of [200, 503, 200, noAnswer(AbortSignal.abort()), noAnswer(new AbortController().signal)]) {
    countAnswer(answers, answer);
  }
  countAnswer(answers, 200, 3);
  expect(answers).toEqual({ 200: 5, 503: 1, unanswered: 1, 'broken off': 1 });
  expect(describeAnswers(answers)).toBe('200: 5, 503: 1, unanswered: 1, broken off: 1');
});
