import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { map } from './sink/canaries.ts';
import { DriverFailed } from './sink/driver.ts';
import { App } from './sink/testing/app.ts';
import { FakeClock } from './sink/testing/fake-clock.ts';
import type { Fault } from './sink/testing/fault.ts';
import { runVectors, type Vector, readVectors } from './vector-run.ts';

const vector = (id: string, input: Vector['input'], expected: Vector['expected']): Vector => ({
  id,
  title: `It is ${id}.`,
  input,
  expected,
});
const count = [{ name: 'count', type: 'int' }];
const vectors = [
  vector('a/int', map({ count: { int: '1' } }), count),
  vector('a/char', map({ c: { char: 'x' } }), [{ name: 'c', type: 'string' }]),
  vector('a/order', map({ x: { int: '1' }, y: { null: true } }), [
    { name: 'x', type: 'int' },
    { name: 'y', type: 'null' },
  ]),
];

const clock = new FakeClock();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vectors-'));
  await writeFile(join(folder, 'a.json'), JSON.stringify({ cases: vectors }));
  await writeFile(join(folder, 'vectors.schema.json'), '{}');
});
afterAll(() => rm(folder, { recursive: true }));

async function statesWith(startDriver: () => App, only?: string): Promise<Record<string, string>> {
  const selection = only === undefined ? undefined : { only: [only] };
  const { results, conforms } = await runVectors({ startDriver, target: 'reference', folder, selection });
  return { ...Object.fromEntries(results.map(({ id, state }) => [id, state])), conforms: String(conforms) };
}

describe('the vectors', () => {
  it('pass with a client that extracts as they say, and skip what its language has not', async () => {
    expect(await statesWith(() => new App({ clock }))).toEqual({
      'vectors/a/int': 'pass',
      'vectors/a/char': 'skip',
      'vectors/a/order': 'pass',
      conforms: 'true',
    });
  });

  it('fail where another schema comes', async () => {
    const fault: Fault = 'count-is-text';
    const { results } = await runVectors({
      startDriver: () => new App({ clock, fault }),
      target: 'x',
      folder,
      selection: { only: ['a/int'] },
    });
    expect(results.map(({ problems }) => problems)).toEqual([
      ['For {"map":[[{"string":"count"},{"int":"1"}]]} came ("count": string), not ("count": int).'],
    ]);
  });

  it('show whole what was wanted and what came', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `a property with the number ${index}`);
    const input = map(Object.fromEntries(names.map((name) => [name, { int: '1' }])));
    const long = vector('long', input, [
      ...names.map((name) => ({ name, type: 'int' })),
      { name: 'end', type: 'string' },
    ]);
    const own = await mkdtemp(join(folder, 'long-'));
    await writeFile(join(own, 'long.json'), JSON.stringify({ cases: [long] }));
    const { results } = await runVectors({ startDriver: () => new App({ clock }), target: 'x', folder: own });
    const [problem = ''] = results[0]?.problems ?? [];
    expect(problem).toContain(JSON.stringify(input));
    expect(problem).toMatch(/"a property with the number 59": int\), not \(/);
    expect(problem).toMatch(/"end": string\)\.$/);
  });

  it('go on after one that ends the driver', async () => {
    class Fragile extends App {
      override ask(request: Parameters<App['ask']>[0]): ReturnType<App['ask']> {
        if (request.do === 'extract' && request.id === 'a/int') throw new DriverFailed('The driver ended.');
        return super.ask(request);
      }
    }
    expect(await statesWith(() => new Fragile({ clock }))).toMatchObject({
      'vectors/a/int': 'fail',
      'vectors/a/order': 'pass',
      conforms: 'false',
    });
  });

  it('are missed with a sentence', async () => {
    expect(() => readVectors(join(folder, 'none'))).toThrow('There are no vectors in');
    await expect(statesWith(() => new App({ clock }), 'nothing')).rejects.toThrow(
      'The options leave no vector to try.',
    );
  });
});
