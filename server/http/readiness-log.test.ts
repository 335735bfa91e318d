import { pino } from 'pino';
import { expect, it } from 'vitest';
import { ReadinessLog } from './readiness-log.ts';

function start() {
  const lines: string[] = [];
  let now = 0;
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const told = (): string[] => lines.splice(0).map((line) => [Object(line).msg, Object(line).reason].join(': '));
  return { log: new ReadinessLog(logger, () => now), told, pass: (milliseconds: number) => void (now += milliseconds) };
}

it('says once what is wrong, and once that it is over', () => {
  const { log, told, pass } = start();
  for (let check = 0; check < 1_000; check += 1) {
    log.note('It does not answer.');
    pass(1_000);
  }
  log.note(undefined);
  log.note(undefined);
  expect(told()).toEqual(['not ready: It does not answer.', 'ready again: ']);
  log.note('It does not answer.');
  expect(told()).toEqual(['not ready: It does not answer.']);
});

it('says another reason after a minute at most, however often they change', () => {
  const { log, told, pass } = start();
  for (let check = 0; check <= 180; check += 1) {
    log.note(`Reason ${check}.`);
    pass(1_000);
  }
  expect(told()).toEqual([0, 60, 120, 180].map((check) => `not ready: Reason ${check}.`));
});
