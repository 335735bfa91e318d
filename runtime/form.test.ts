import { describe, expect, test } from 'vitest';
import { parseForm } from './form.ts';
import type { StylePlan } from './plan.ts';

const noTurn = () => Promise.reject(new Error('There is nothing to wait for.'));
const list: StylePlan = { key: 'list', style: 'form', explode: false, shape: 'array', properties: [] };

describe('a form', () => {
  test('has plain texts, in which a plus is a space', async () => {
    const form = await parseForm('a+b=é+%2B%20+&a+b=2&c=', [], noTurn);
    expect(form).toEqual({ 'a b': ['é +  ', '2'], c: '' });
  });

  test('has a thousand fields at most, of one name or of many', async () => {
    const write = (count: number, name: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => `${name(at)}=1`).join('&');
    const names = [() => 'same', (at: number) => `other${at}`];
    for (const name of names) {
      await expect(parseForm(write(1_000, name), [], noTurn)).resolves.toBeDefined();
      await expect(parseForm(write(1_001, name), [], noTurn)).rejects.toMatchObject({
        kind: 'too-large',
        message: 'The body must not have more than 1000 fields.',
      });
    }
  });

  test.each(['form', 'pipeDelimited', 'spaceDelimited'])(
    'has a bound for what a field lists, too: %s',
    async (style) => {
      const delimiter = { form: ',', pipeDelimited: '|', spaceDelimited: '+' }[style] ?? '';
      const half = Array.from({ length: 8_192 }, () => '1').join(delimiter);
      const plans = [{ ...list, style }];
      const { list: values } = await parseForm(`list=${half}&list=${half}`, plans, noTurn);
      expect(values).toHaveLength(16_384);
      await expect(parseForm(`list=${half}&list=${half}&list=1`, plans, noTurn)).rejects.toMatchObject({
        kind: 'too-large',
        message: 'A field must not have more than 16384 values.',
      });
    },
  );

  test('has large JSON of a field read in turns', async () => {
    let turns = 0;
    const takeTurn = async (): Promise<void> => void (turns += 1);
    const value = Array.from({ length: 10_000 }, (_, at) => at);
    const read = await parseForm(`list=${JSON.stringify(value)}`, [{ ...list, shape: 'json' }], takeTurn);
    expect(read).toEqual({ list: value });
    expect(turns).toBeGreaterThan(3);
  });
});
