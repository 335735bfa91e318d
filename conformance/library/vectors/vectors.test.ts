import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import contract from '../../generated/contract.json' with { type: 'json' };
import schema from './vectors.schema.json' with { type: 'json' };

interface Vector {
  id: string;
  input: unknown;
  expected: unknown;
}

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
  .map((name) => ({ name, content: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) }));
const vectors = files.flatMap(({ content }): Vector[] => content.cases);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(contract, 'contract');
const isEventSchema = ajv.compile({ $ref: 'contract#/components/schemas/EventSchema' });
const isVectorFile = ajv.compile(schema);

describe('the extraction vectors', () => {
  it.each(files)('$name has the form that is documented', ({ content }) => {
    expect(isVectorFile(content), ajv.errorsText(isVectorFile.errors)).toBe(true);
  });

  it('are at least 100, each with an id of its own that begins with its file', () => {
    const ids = vectors.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(100);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, content } of files)
      for (const { id } of content.cases) expect(`${id.split('/')[0]}.json`).toBe(name);
  });

  it.each(vectors)('$id expects a schema that the contract allows', ({ expected }) => {
    expect(isEventSchema(expected), ajv.errorsText(isEventSchema.errors)).toBe(true);
  });

  it('use every kind of typed JSON', () => {
    const text = JSON.stringify(vectors.map(({ input }) => input));
    const unused = Object.keys(schema.$defs.value.properties).filter((kind) => !text.includes(`"${kind}":`));
    expect(unused).toEqual([]);
  });
});
