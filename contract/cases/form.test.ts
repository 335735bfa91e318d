import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { type FormPlan, nameFormType, writeForm } from './form.ts';

const plans: FormPlan[] = [
  { kind: 'multipart', fields: {} },
  { kind: 'urlencoded', fields: {} },
];

async function read(plan: FormPlan, value: Json): Promise<[string, string | File][]> {
  const headers = { 'content-type': nameFormType(plan) };
  return [...(await new Response(writeForm(plan, value)?.text, { headers }).formData())];
}

describe.each(plans)('a form that is $kind', (plan) => {
  test('is read as it was written', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((one) => one !== '__proto__' && one.isWellFormed());
    const text = fc.string({ unit: 'grapheme' }).filter((one) => one.isWellFormed());
    const fields = fc.dictionary(name, fc.oneof(text, fc.array(text), fc.integer(), fc.boolean()), { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(fields, async (value) => {
        const pairs = Object.entries(value).flatMap(([key, field]) => [field].flat().map((one) => [key, String(one)]));
        fc.pre(pairs.length > 0);
        expect(await read(plan, value)).toEqual(pairs);
      }),
      { numRuns: 200 },
    );
  });

  test('holds no null, and nothing but fields', () => {
    for (const value of [null, 'text', [], {}, { none: [] }, { name: null }, { names: ['a', null] }])
      expect(writeForm(plan, value)).toBeUndefined();
  });
});

test('fields that are more than text are written as the contract says', async () => {
  const fields: FormPlan['fields'] = {
    owner: { as: 'deepObject' },
    place: { as: 'json' },
    tags: { separator: '|' },
  };
  const value = {
    owner: { name: 'x', tags: ['y'] },
    place: { lamp: 'tall' },
    tags: ['a', 'b'],
    sizes: [1, 2],
    none: [],
  };
  const pairs = [
    ['owner[name]', 'x'],
    ['owner[tags][0]', 'y'],
    ['place', '{"lamp":"tall"}'],
    ['tags', 'a|b'],
    ['sizes', '1'],
    ['sizes', '2'],
  ];
  for (const kind of ['multipart', 'urlencoded'] as const) expect(await read({ kind, fields }, value)).toEqual(pairs);
  expect(writeForm({ kind: 'urlencoded', fields }, value)?.read).toEqual({
    ...value,
    sizes: ['1', '2'],
    none: undefined,
  });
  for (const odd of [{ tags: ['a|b'] }, { owner: 'x' }, { owner: { tags: [] } }, { sizes: 2 ** 53 }])
    expect(writeForm({ kind: 'urlencoded', fields }, odd)).toBeUndefined();
});

test('a file has a name and a content type', async () => {
  const file = { as: 'file', contentType: 'image/png', filename: 'a "file".png' } as const;
  const [[, sent] = []] = await read({ kind: 'multipart', fields: { file } }, { file: 'bytes' });
  expect(sent).toMatchObject({ name: 'a "file".png', type: 'image/png', size: 5 });
});
