import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '@branchline/contract';
import { printServerTypes } from '../../typescript/types-file.ts';

const spec = `openapi: 3.1.0
info: { title: T, version: '1' }
paths: {}
components:
  schemas:
    Pet: { type: object, properties: { kind: { type: string } }, discriminator: { propertyName: kind, mapping: { cat: '#/components/schemas/Cat' } } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }], type: object, properties: { kind: { const: cat }, lives: { type: integer } } }
    Any: { type: object, default: { $ref: '#/nowhere' } }
`;

test('a schema that describes the property of its discriminator itself has it once, and data that looks like a reference is data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-types-'));
  try {
    const file = join(folder, 'spec.yaml');
    await writeFile(file, spec);
    const types = printServerTypes(await loadContract(file), './runtime/index.ts');
    const cat = types.slice(types.indexOf('Cat: '));
    expect(cat.slice(0, cat.indexOf('}')).match(/\bkind[?:]/g)).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
