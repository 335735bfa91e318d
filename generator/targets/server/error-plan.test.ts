import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadContract } from '@branchline/contract';
import { planError } from './error-plan.ts';
import { createReplySamples } from './example-reply.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-error-plan-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function plan(content: object): Promise<unknown> {
  const file = join(folder, 'errors.json');
  const responses = { 400: { description: 'Wrong.', content } };
  const info = { title: 'Errors', version: '1' };
  await writeFile(file, JSON.stringify({ openapi: '3.1.0', info, paths: { '/x': { get: { responses } } } }));
  const contract = await loadContract(file);
  const [response] = contract.operations.flatMap((operation) => operation.responses);
  return response === undefined ? undefined : planError(contract, response, createReplySamples(contract));
}

const text = { type: 'string' };

describe('a documented error', () => {
  it('of a required message and code takes the sentence and the status', async () => {
    const properties = { code: { type: 'integer' }, message: text, hint: text };
    const schema = { type: 'object', required: ['code', 'message'], properties };
    expect(await plan({ 'application/json': { schema } })).toMatchObject({
      type: 'application/json',
      sentence: [['message']],
      status: [['code']],
    });
  });

  it('with an example keeps what the example says beside', async () => {
    const example = { type: 'https://errors.example/bad', title: 'Bad', status: 400, detail: 'It is bad.' };
    const schema = {
      type: 'object',
      properties: { type: text, title: text, status: { type: 'integer' }, detail: text },
    };
    expect(await plan({ 'application/problem+json': { schema, example } })).toMatchObject({
      body: { type: 'https://errors.example/bad' },
      sentence: [['detail']],
      status: [['status']],
      title: [['title']],
    });
  });

  it.each(['uri', 'uri-reference', 'iri', 'iri-reference', undefined])(
    'has no type but that of problems without one, where only its format %s is known',
    async (format) => {
      const type = { type: 'string', ...(format === undefined ? {} : { format }) };
      const schema = { type: 'object', required: ['type', 'detail'], properties: { type, detail: text } };
      expect(await plan({ 'application/problem+json': { schema } })).toMatchObject({ body: { type: 'about:blank' } });
    },
  );

  it('may say it further inside', async () => {
    const error = { type: 'object', required: ['message'], properties: { message: text } };
    const schema = { type: 'object', required: ['error'], properties: { error } };
    expect(await plan({ 'application/json': { schema } })).toMatchObject({ sentence: [['error', 'message']] });
  });

  it.each(['text/plain', 'application/xml'])('as %s is the sentence', async (type) => {
    expect(await plan({ [type]: {} })).toMatchObject({ type, sentence: [[]] });
  });

  it('that is { error } has no shape of its own, nor has one without content', async () => {
    const schema = { type: 'object', required: ['error'], properties: { error: text } };
    expect(await plan({ 'application/json': { schema } })).toBeUndefined();
    expect(await plan({})).toBeUndefined();
  });
});
