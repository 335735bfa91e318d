import { expect, it } from 'vitest';
import { STATUSES } from '../../console/src/branches/statuses.ts';
import { TRANSITIONS } from '../../console/src/branches/transitions.ts';
import { refusedTransition } from '../../server/branches/lifecycle.ts';

it.each(STATUSES)('from %s the console offers what the server allows', (from) => {
  const allowed = STATUSES.filter((to) => refusedTransition(from, to) === undefined);
  expect(TRANSITIONS[from].map(({ to }) => to).toSorted()).toEqual(allowed.toSorted());
});
