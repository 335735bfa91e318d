import { pino } from 'pino';
import { expect, it } from 'vitest';
import { type CrowdedOut, Crowding } from './crowding.ts';

it('is one line when it begins, and one a minute with how many were closed, until none was', () => {
  const lines: Record<string, unknown>[] = [];
  const minutes: (() => void)[] = [];
  const outcomes: CrowdedOut[] = [];
  const crowding = new Crowding({
    logger: pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    maxConnections: 20,
    counted: (outcome) => outcomes.push(outcome),
    later: (callback) => minutes.push(callback),
  });
  const pass = (): void => minutes.shift()?.();
  const begins = { level: 40, maxConnections: 20, msg: expect.stringMatching(/^all connections are taken/) };

  for (let closed = 0; closed < 3; closed += 1) crowding.count('gave-way');
  crowding.count('refused');
  expect(lines).toEqual([begins]);
  pass();
  crowding.count('refused');
  pass();
  pass();
  const counted = { level: 40, maxConnections: 20, msg: 'connections were closed, since there were too many' };
  expect(lines.slice(1)).toEqual([
    { ...counted, gaveWay: 3, refused: 1, turnedAway: 0 },
    { ...counted, gaveWay: 0, refused: 1, turnedAway: 0 },
  ]);

  expect(minutes).toEqual([]);
  crowding.count('refused');
  expect(lines.slice(3)).toEqual([begins]);
  expect(outcomes).toEqual(['gave-way', 'gave-way', 'gave-way', 'refused', 'refused', 'refused']);

  pass();
  pass();
  for (let closed = 0; closed < 2; closed += 1) crowding.count('turned-away');
  pass();
  expect(lines.slice(5)).toEqual([
    { level: 40, maxConnections: 20, msg: expect.stringMatching(/^more connections come than can be accepted/) },
    { ...counted, gaveWay: 0, refused: 0, turnedAway: 2 },
  ]);
});
