import { expect, test } from 'vitest';
import type { Contract } from './contract.ts';
import { type Hook, readHooks } from './hooks.ts';
import { head, loadText, ok } from './testing/spec.ts';

function show({ document, operations }: Contract): string[] {
  return readHooks({ document, operations }).map(
    ({ id, method, target, pointer }: Hook) => `${id} ${method} ${target?.value ?? '-'} ${pointer}`,
  );
}

test('a webhook has the name of its operation, or its own with the method where there are several', async () => {
  const contract = await loadText(`${head}webhooks:
  pet created: { post: { ${ok} } }
  petChanged: { put: { ${ok} }, delete: { ${ok} } }
  petSold: { post: { operationId: tellOfSale, ${ok} } }
  petLost: { $ref: '#/components/pathItems/Lost' }
  x-other: { post: { ${ok} } }
components: { pathItems: { Lost: { post: { ${ok} } } } }
`);
  expect(show(contract)).toEqual([
    'petCreated post - /webhooks/pet created/post',
    'petChangedPut put - /webhooks/petChanged/put',
    'petChangedDelete delete - /webhooks/petChanged/delete',
    'tellOfSale post - /webhooks/petSold/post',
    'petLost post - /components/pathItems/Lost/post',
  ]);
});

test.each([head, head.replace('3.1.0', '3.0.3')])(
  'a callback has the name of its operation and its own; a shared one is there once',
  async (version) => {
    const contract = await loadText(`${version}paths:
  /a:
    post:
      operationId: subscribe
      callbacks:
        onData: { '{$request.body#/url}': { post: { ${ok} } } }
        onEnd: { $ref: '#/components/callbacks/Ended' }
        x-more: {}
      ${ok}
  /b:
    post:
      operationId: resume
      callbacks:
        onData: { '{$request.body#/url}': { post: { ${ok} }, put: { ${ok} } } }
        onEnd: { $ref: '#/components/callbacks/Ended' }
        onPause: { 'https://a.example/x': { post: { operationId: paused, ${ok} } } }
      ${ok}
components: { callbacks: { Ended: { '{$request.query.url}': { post: { ${ok} } } } } }
`);
    expect(show(contract)).toEqual([
      'subscribeOnData post {$request.body#/url} /paths/~1a/post/callbacks/onData/{$request.body#~1url}/post',
      'ended post {$request.query.url} /components/callbacks/Ended/{$request.query.url}/post',
      'resumeOnDataPost post {$request.body#/url} /paths/~1b/post/callbacks/onData/{$request.body#~1url}/post',
      'resumeOnDataPut put {$request.body#/url} /paths/~1b/post/callbacks/onData/{$request.body#~1url}/put',
      'paused post https://a.example/x /paths/~1b/post/callbacks/onPause/https:~1~1a.example~1x/post',
    ]);
  },
);

test('what is asked of those who call the service is not asked of it', async () => {
  const contract = await loadText(`${head}security: [{ key: [] }]
webhooks: { a: { post: { ${ok} } }, b: { post: { security: [{ key: [] }], ${ok} } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`);
  expect(readHooks(contract).map(({ security }) => security)).toEqual([[], [{ key: [] }]]);
});

test('what a hook refers to is resolved', async () => {
  const contract = await loadText(`${head}webhooks:
  gone:
    parameters: [{ $ref: '#/components/parameters/Trace' }]
    post: { requestBody: { $ref: '#/components/requestBodies/Gone' }, responses: { 2XX: { $ref: '#/components/responses/Fine' } } }
components:
  parameters: { Trace: { name: X-Trace, in: header, schema: { type: string } } }
  requestBodies: { Gone: { content: { text/plain: {} } } }
  responses: { Fine: { description: Fine } }
`);
  expect(readHooks(contract)).toMatchObject([
    {
      id: 'gone',
      path: 'gone',
      parameters: [{ value: { name: 'X-Trace' } }],
      requestBody: { value: { content: { 'text/plain': {} } } },
      responses: [{ status: '2XX', value: { description: 'Fine' } }],
    },
  ]);
});
