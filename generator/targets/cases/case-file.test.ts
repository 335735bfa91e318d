import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyValue, type CaseFile, loadContract, writeBody } from '@branchline/contract';
import { deriveCases } from './case-file.ts';
import { lamps } from './testing/lamps.ts';

let folder: string;
let cases: CaseFile;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-cases-'));
  await writeFile(join(folder, 'lamps.json'), JSON.stringify(lamps));
  cases = deriveCases(await loadContract(join(folder, 'lamps.json')));
});
afterAll(() => rm(folder, { recursive: true }));

function ids(operationId: string): string[] {
  return cases.cases.filter((one) => one.operationId === operationId).map(({ id }) => id.slice(operationId.length + 1));
}

/** The text of a case's body. */
function write(id: string, { cases: all, bodies }: CaseFile = cases): string | undefined {
  const { request = { authentication: 'none' as const } } = all.find((one) => one.id === id) ?? {};
  return writeBody(request, bodyValue(request.body, bodies));
}

function found(id: string): CaseFile['cases'][number] | undefined {
  return cases.cases.find((one) => one.id === id);
}

describe('derived', () => {
  test('are the cases of a body', () => {
    expect(ids('createLamp')).toEqual(
      expect.arrayContaining([
        'valid/full',
        'valid/minimal',
        'body/type-null',
        'body/name/required',
        'body/name/type-integer',
        'body/name/minLength-at',
        'body/name/maxLength-at',
        'body/name/maxLength-above',
        'body/name/pattern-uppercase',
        'body/watts/exclusiveMinimum-at',
        'body/watts/maximum-above',
        'body/parts/maxItems-above',
        'body/parts/0/id/required',
        'body/branchlineUnknown/unknown-allowed',
        'body/missing',
        'body/malformed',
        'body/media-type',
        'authentication/missing',
        'authentication/wrong',
      ]),
    );
  });

  test('are the cases of parameters', () => {
    expect(ids('listLamps')).toEqual([
      'valid/plain',
      'valid/all-parameters',
      'query/limit/type-boolean',
      'query/limit/type-number',
      'query/limit/type-string',
      'query/limit/minimum-at',
      'query/limit/minimum-below',
      'query/limit/maximum-at',
      'query/limit/maximum-above',
      'query/colours/maxItems-at',
      'query/colours/maxItems-above',
      'query/colours/0/enum-red',
      'query/colours/0/enum-blue',
      'query/colours/0/enum-other',
      ...['uppercase', 'underscore', 'punctuation', 'other'].map((kind) => `header/x-trace/pattern-${kind}`),
      'header/x-trace/required',
      'query/cursor/maxLength-above',
      'authentication/missing',
      'authentication/wrong',
      'method/patch',
    ]);
  });

  test('are no valid values of path parameters, since they name resources', () => {
    expect(ids('deleteLamp')).toEqual([
      'valid/plain',
      'path/lampId/format-uuid',
      'authentication/missing',
      'authentication/wrong',
      'method/patch',
    ]);
  });

  test('are no authentication cases for an operation that asks for none', () => {
    expect(ids('health')).toEqual(['valid/plain', 'method/patch']);
  });

  test('is nothing that is refused for its size, whatever is in it', () => {
    expect(ids('createLamp').filter((id) => id.startsWith('body/note/maxLength'))).toEqual([]);
  });

  test('are all of a form, and bodies of other media types, one each', () => {
    expect(ids('createNote')).toEqual([
      'valid/full',
      'valid/multipart/form-data',
      'valid/text/plain',
      'body/branchlineUnknown/unknown-allowed',
      'body/text/const-other',
      'body/tags/0/const-other',
      'body/missing',
      'body/media-type',
      'method/patch',
    ]);
    expect(write('createNote/valid/full')).toBe('text=a+b&tags=x');
    expect(write('createNote/body/text/const-other')).toBe('text=a+b-other&tags=x');
    expect(found('createNote/valid/text/plain')?.request).toMatchObject({
      contentType: 'text/plain',
      body: { text: 'Buy a lamp.' },
    });
    expect(found('createNote/valid/multipart/form-data')?.request).toMatchObject({
      contentType: 'multipart/form-data; boundary=branchline-boundary',
      body: {
        text: '--branchline-boundary\r\ncontent-disposition: form-data; name="text"\r\n\r\na b\r\n--branchline-boundary--\r\n',
      },
    });
    expect(found('createNote/body/media-type')?.request.contentType).toBe('application/xml');
  });

  test('is a reason for what could not be derived', () => {
    expect(cases.leftOut).toEqual([{ operationId: 'upload', reason: 'No valid body could be made.' }]);
  });

  test('are lists and headers as they travel', () => {
    expect(found('listLamps/query/colours/maxItems-above')?.request).toMatchObject({
      query: { colours: 'red,red,red' },
      headers: { 'x-trace': 'beef' },
    });
    expect(found('listLamps/header/x-trace/required')?.request.headers).toBeUndefined();
  });
});

describe('expected', () => {
  test.each([
    { id: 'createLamp/valid/full', level: 'required', statuses: [201] },
    { id: 'createLamp/body/name/required', level: 'required', statuses: [400] },
    { id: 'createLamp/body/media-type', level: 'required', statuses: [415, 400] },
    { id: 'createLamp/body/parts/0/id/required', level: 'required', statuses: [201] },
    { id: 'createLamp/authentication/missing', level: 'required', statuses: [401] },
    { id: 'listLamps/method/patch', level: 'required', statuses: [405] },
    { id: 'deleteLamp/path/lampId/format-uuid', level: 'required', statuses: [401, 404] },
    { id: 'deleteLamp/method/patch', level: 'observed', statuses: [] },
    { id: 'health/valid/plain', level: 'required', statuses: [204] },
  ])('is what the contract documents for $id', ({ id, level, statuses }) => {
    expect(found(id)).toMatchObject({ level, expect: { statuses } });
  });

  test('is that Allow names every method of the path', () => {
    expect(found('listLamps/method/patch')?.expect.allow?.toSorted()).toEqual(['GET', 'POST']);
  });
});

test('derived of a form with files are its parts, as clients send them', async () => {
  const parts = {
    type: 'object',
    additionalProperties: false,
    required: ['picture'],
    properties: {
      picture: {},
      size: { type: 'integer', minimum: 1 },
      place: { type: 'object', properties: { lamp: { type: 'string', maxLength: 4, examples: ['tall'] } } },
    },
  };
  const encoding = { picture: { contentType: 'image/png, image/jpeg' } };
  const content = { 'multipart/form-data': { schema: parts, encoding } };
  const operation = { operationId: 'put', requestBody: { content }, responses: { 204: { description: '' } } };
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Pictures', version: '1' },
    paths: { '/picture': { put: operation } },
  };
  await writeFile(join(folder, 'pictures.json'), JSON.stringify(spec));
  const pictures = deriveCases(await loadContract(join(folder, 'pictures.json')));
  expect(pictures.cases.map(({ id }) => id)).toEqual([
    'put/valid/full',
    'put/valid/minimal',
    'put/body/picture/required',
    'put/body/branchlineUnknown/additionalProperties',
    ...['boolean', 'number', 'string', 'object'].map((type) => `put/body/size/type-${type}`),
    'put/body/size/minimum-at',
    'put/body/size/minimum-below',
    ...['null', 'boolean', 'integer', 'number', 'string'].map((type) => `put/body/place/type-${type}`),
    'put/body/place/branchlineUnknown/unknown-allowed',
    'put/body/place/lamp/type-array',
    'put/body/place/lamp/type-object',
    'put/body/place/lamp/maxLength-at',
    'put/body/place/lamp/maxLength-at-astral',
    'put/body/place/lamp/maxLength-above',
    'put/body/absent',
    'put/body/media-type',
    'put/method/patch',
  ]);
  const text = write('put/body/size/minimum-below', pictures);
  expect(text?.split('--branchline-boundary')).toEqual([
    '',
    '\r\ncontent-disposition: form-data; name="picture"; filename="picture.png"\r\ncontent-type: image/png\r\n\r\nbytes\r\n',
    '\r\ncontent-disposition: form-data; name="size"\r\n\r\n0\r\n',
    '\r\ncontent-disposition: form-data; name="place"\r\ncontent-type: application/json\r\n\r\n{"lamp":"tall"}\r\n',
    '--\r\n',
  ]);
  expect(write('put/body/picture/required', pictures)).not.toContain('picture.png');
});
