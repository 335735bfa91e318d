import { expect } from 'vitest';
import type { Answer } from './server.ts';

/** An error answer: exactly `{"error": "<sentence>"}`, and nothing else in the body. */
export function expectError(answer: Answer, status: number, sentence?: string | RegExp): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const said = sentence instanceof RegExp ? expect.stringMatching(sentence) : (sentence ?? expect.stringMatching(/./));
  expect(answer.json()).toEqual({ error: said });
}
