import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeError } from './describe-error.ts';
import { ExportBrokenOff } from './branches/export-broken-off.ts';
import { UnreadableValue } from './storage/unreadable-value.ts';
import { Unavailable } from './storage/transient-errors.ts';

it('has the stack of a fault', () => {
  expect(describeError(new TypeError('a fault'))).toMatchObject({
    type: 'TypeError',
    message: 'a fault',
    stack: expect.any(String),
  });
});

it('has none where the database or the system failed', () => {
  expect(describeError(new Unavailable('Too many wait.'))).toEqual({ type: 'Unavailable', message: 'Too many wait.' });
  const terminated = Object.assign(new Error('terminating connection'), { severity: 'FATAL', code: '57P01' });
  expect(describeError(terminated)).toEqual({ type: 'Error', message: 'terminating connection', code: '57P01' });
  expect(describeError(failureOf(() => readFileSync('/no/such/file')))).toEqual({
    type: 'Error',
    message: expect.stringContaining('no such file'),
    code: 'ENOENT',
  });
});

it.each([new ExportBrokenOff('its client took too long'), new UnreadableValue('shapes.schema')])(
  'has none of what is expected: %s',
  (error) => {
    expect(describeError(error)).toEqual({ type: error.name, message: error.message });
  },
);

function failureOf(fail: () => void): Error {
  try {
    fail();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It should have failed.');
}
