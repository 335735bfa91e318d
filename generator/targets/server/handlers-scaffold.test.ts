import { expect, test } from 'vitest';
import { contractFrom } from '../../testing/served-contract.ts';
import { printHandlersScaffold } from './handlers-scaffold.ts';

async function scaffold(tags: Record<string, unknown>): Promise<Map<string, string>> {
  const operations = Object.entries(tags).map(([id, list]) => [
    `/${id}`,
    {
      get: { operationId: id, ...(list !== undefined && { tags: list }), responses: { 204: { description: 'Done' } } },
    },
  ]);
  const paths: object = Object.fromEntries(operations);
  return new Map(
    printHandlersScaffold(await contractFrom({ openapi: '3.1.0', info: { title: 'Tags', version: '1' }, paths })),
  );
}

test('several tags have a file each, by the first one of an operation; what has none stays', async () => {
  const files = await scaffold({ a: ['Train Stations'], b: ['Trips', 'Train Stations'], c: ['Trips'], d: undefined });
  expect([...files.keys()]).toEqual(['handlers.ts', 'handlers/train-stations.ts', 'handlers/trips.ts']);
  expect(files.get('handlers/trips.ts')).toContain("export const tripsHandlers: Pick<Handlers, 'b' | 'c'> = {");
  const all = files.get('handlers.ts');
  expect(all).toContain("import { trainStationsHandlers } from './handlers/train-stations.ts';");
  expect(all).toContain('...trainStationsHandlers,\n  ...tripsHandlers,\n');
  expect(all?.match(/stub\('\w'\)/g)).toEqual(["stub('d')"]);
});

test.each([
  { a: ['Trips'], b: ['Trips'] },
  { a: undefined, b: [] },
  { a: ['Trips'], b: undefined },
])('of %o all stand in one file', async (tags) => {
  const files = await scaffold(tags);
  expect([...files.keys()]).toEqual(['handlers.ts']);
  expect(files.get('handlers.ts')?.match(/stub\('\w'\)/g)).toEqual(["stub('a')", "stub('b')"]);
});

test('tags that are no names have files of different names', async () => {
  const tags = ['API', 'api', '../x', 'delete', '*/ alert', "it's", '車', ' '];
  const files = await scaffold(Object.fromEntries(tags.map((tag, index) => [`get${index}`, [tag]])));
  expect([...files.keys()].slice(1)).toEqual([
    'handlers/api.ts',
    'handlers/api2.ts',
    'handlers/x.ts',
    'handlers/delete-operation.ts',
    'handlers/alert.ts',
    'handlers/it-s.ts',
    'handlers/operation.ts',
  ]);
});
