import { expect, it } from 'vitest';
import { parsePlan } from './plan.ts';

it.each([
  ['ok', { kind: 'taken' }],
  ['503', { kind: 'refused', status: 503 }],
  ['429=5', { kind: 'refused', status: 429, retryAfter: { form: 'seconds', seconds: 5 } }],
  ['503=date:7', { kind: 'refused', status: 503, retryAfter: { form: 'date', seconds: 7 } }],
  ['reset', { kind: 'reset' }],
  ['cut', { kind: 'taken', truncated: true }],
  ['slow=1.5', { kind: 'taken', afterSeconds: 1.5 }],
  ['reject=2', { kind: 'taken', rejecting: 2 }],
  ['sampling=0.5', { kind: 'taken', samplingRate: 0.5 }],
  ['redirect', { kind: 'redirected', status: 307 }],
])('reads %s', (text, answer) => {
  expect(parsePlan(`${text}, ok`)).toEqual([answer, { kind: 'taken' }]);
});

it.each(['', 'later', '200', '429=soon', 'slow', 'sampling=2', 'toString', 'ok=1'])('has no word "%s"', (text) => {
  expect(() => parsePlan(text)).toThrow(`The plan has "${text}", which is no answer; there are: ok,`);
});
