import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Crowding } from './crowding.ts';

it('is one line when it begins, and one a minute with how many were closed, until none was', () => {
  const lines: Record<string, unknown>[] = [];
  const minutes: (() => void)[] = [];
  const crowding = new Crowding({
    logger: pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    maxConnections: 20,
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
    { ...counted, gaveWay: 3, refused: 1 },
    { ...counted, gaveWay: 0, refused: 1 },
  ]);

  expect(minutes).toEqual([]);
  crowding.count('refused');
  expect(lines.slice(3)).toEqual([begins]);
});
