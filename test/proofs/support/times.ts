import { expect } from 'vitest';
import { median } from './latency.ts';
import { shareLarger } from './mann-whitney.ts';

/**
 * How long attempts of several kinds take. In each round there is one of each, in an order of chance, so that whatever else the
 * machine does meets all of them alike.
 *
 * @returns milliseconds
 */
export async function timesInTurns<Kind extends string>(
  kinds: readonly Kind[],
  rounds: number,
  attempt: (kind: Kind, round: number) => Promise<void>,
): Promise<Record<Kind, number[]>> {
  const times = Object.fromEntries(kinds.map((kind): [Kind, number[]] => [kind, []])) as Record<Kind, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of shuffled(kinds)) {
      const start = performance.now();
      await attempt(kind, round);
      times[kind].push(performance.now() - start);
    }
  }
  const [first, ...others] = kinds;
  for (const other of first === undefined ? [] : others) {
    const [some, rest] = [times[first as Kind], times[other]];
    console.log(
      `${first}: ${milliseconds(some)}, ${other}: ${milliseconds(rest)} (medians); ` +
        `the former takes longer in ${(100 * shareLarger(some, rest)).toFixed(1)} % of pairs.`,
    );
  }
  return times;
}

/**
 * What other work on the machine makes of one measurement is not in the next; a real difference is in all.
 *
 * @param warmUp what is done before; left out: a whole measurement
 */
export async function expectSoon(
  isEqual: () => Promise<boolean>,
  warmUp: () => Promise<unknown> = isEqual,
): Promise<void> {
  await warmUp();
  expect((await isEqual()) || (await isEqual()), 'the times are the same, as far as can be measured').toBe(true);
}

function shuffled<Kind>(kinds: readonly Kind[]): Kind[] {
  return kinds
    .map((kind) => ({ kind, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ kind }) => kind);
}

function milliseconds(times: readonly number[]): string {
  return `${median(times).toFixed(4)} ms`;
}
