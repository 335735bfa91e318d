import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { errorReply } from './error-reply.ts';
import type { ResponsePlan } from './plan.ts';

const problem = {
  type: 'application/problem+json',
  headers: { 'x-kind': 'problem' },
  body: { type: 'about:blank', title: '', status: 0, errors: [{ detail: '' }] },
  sentence: [['errors', '0', 'detail']],
  status: [['status']],
  title: [['title']],
};
const text = { type: 'text/plain', body: '', sentence: [[]], status: [], title: [] };

const responses: readonly ResponsePlan[] = [
  { status: '400', media: ['application/problem+json'], error: problem },
  { status: '404', media: [] },
  { status: '4XX', media: ['text/plain'], error: text },
  { status: 'default', media: ['application/xml'], error: { ...text, type: 'application/xml' } },
];

function replyTo(status: number, documented?: readonly ResponsePlan[], sentence = 'No <name> & more.') {
  const request = { routeOptions: { config: { contractResponses: documented } } };
  return errorReply(request as unknown as FastifyRequest, status, sentence);
}

it('tells the sentence, the status and its title where the contract has them', () => {
  const { type, headers, body } = replyTo(400, responses);
  expect({ type, headers, body: JSON.parse(String(body)) }).toEqual({
    type: 'application/problem+json; charset=utf-8',
    headers: { 'x-kind': 'problem' },
    body: { type: 'about:blank', title: 'Bad Request', status: 400, errors: [{ detail: 'No <name> & more.' }] },
  });
  expect(problem.body.status).toBe(0);
});

it.each([
  { status: 415, type: 'text/plain; charset=utf-8', body: 'No <name> & more.' },
  { status: 500, type: 'application/xml; charset=utf-8', body: '<error>No &lt;name> &amp; more.</error>' },
  { status: 404, type: 'application/json; charset=utf-8', body: { error: 'No <name> & more.' } },
])('finds what is documented for $status', ({ status, type, body }) => {
  expect(replyTo(status, responses)).toMatchObject({ type, body });
});

it('says { error } where there is no operation', () => {
  expect(replyTo(404)).toMatchObject({ body: { error: 'No <name> & more.' } });
  const unread = {} as FastifyRequest;
  expect(errorReply(unread, 400, 'No.').body).toEqual({ error: 'No.' });
});

it('tells the beginning and the end of a sentence that repeats a long path', () => {
  const { body } = replyTo(414, [], `'/${'😀'.repeat(3_000)}' is too long`);
  expect(body).toMatchObject({ error: expect.stringMatching(/^'\/😀+.?….?😀+' is too long$/u) });
  expect(JSON.stringify(body).length).toBeLessThan(450);
  const just = 'a'.repeat(2_000);
  expect(replyTo(414, [], just).body).toEqual({ error: just });
});
