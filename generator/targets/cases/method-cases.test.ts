import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '@branchline/contract';
import { deriveCases } from './case-file.ts';

function empty(id: string): object {
  return { operationId: id, responses: { 204: { description: '' } } };
}

test('a wrong method is one that no path has which the request could also mean', async () => {
  const lampId = [{ name: 'lampId', in: 'path', required: true, schema: { type: 'string' } }];
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Lamps', version: '1' },
    paths: {
      '/lamps/newest': { get: empty('newest') },
      '/lamps/{lampId}': { parameters: lampId, patch: empty('change'), delete: empty('drop') },
    },
  };
  const folder = await mkdtemp(join(tmpdir(), 'branchline-methods-'));
  try {
    await writeFile(join(folder, 'lamps.json'), JSON.stringify(spec));
    const { cases } = deriveCases(await loadContract(join(folder, 'lamps.json')));
    const ids = cases.filter(({ varies }) => varies.in === 'method').map(({ id }) => id);
    expect(ids).toEqual(['newest/method/put', 'change/method/put']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
