import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '@branchline/contract';
import { contractFrom } from '../../../testing/served-contract.ts';
import { makeClientProject } from './client-project.ts';

test('an operation that answers with events alone has no method', async () => {
  const contract = await loadContract(fileURLToPath(new URL('../../client/testing/shelf.yaml', import.meta.url)));
  const { paths } = makeClientProject(contract).document as { paths: object };
  expect(Object.keys(paths)).toEqual(['/shelves/{shelf}/books', '/covers/{book}', '/health']);
});

const names = 'File UUID URI Date DateTime date-time Pair Exception Map Object Type Binary HttpResponse'.split(' ');

test('a schema whose name Kotlin or openapi-generator needs gets another, wherever it is referred to', async () => {
  const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const contract = await contractFrom({
    openapi: '3.1.0',
    info: { title: 'Taken names', version: '1' },
    paths: {},
    components: {
      schemas: {
        ...Object.fromEntries(names.map((name) => [name, { type: 'object', properties: { a: { type: 'string' } } }])),
        FileModel: { type: 'object', properties: { a: { type: 'string' } } },
        Holder: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, reference(name)])) },
      },
    },
  });
  const { components = {} } = makeClientProject(contract).document;
  const given = Object.keys(components.schemas ?? {});
  expect(given).toEqual([
    ...'FileModel2 UUIDModel URIModel DateModel DateTimeModel DateTimeModel2 PairModel ExceptionModel MapModel'.split(
      ' ',
    ),
    ...'ObjectModel TypeModel BinaryModel HttpResponseModel FileModel Holder'.split(' '),
  ]);
  const referred = JSON.stringify(components.schemas?.['Holder']).matchAll(/schemas\/([^"]+)"/g);
  expect([...referred].map(([, name]) => name)).toEqual(given.slice(0, names.length));
});
