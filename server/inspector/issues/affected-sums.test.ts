import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundedKey } from '../keys.ts';
import { propertyTypes } from '../property-types.ts';
import { eventSchema } from '../testing/schemas.ts';
import { AffectedSums } from './affected-sums.ts';
import type { IssueRow } from './tables.ts';

const ISSUE: IssueRow = {
  workspace_id: 'demo',
  issue_id: '',
  kind: 'nameVariant',
  event_key: 'Viewed',
  event_name: 'Viewed',
  path: '[]',
  path_key: '',
  source: 'shop',
  environment: 'prod',
  app_version: '1.0',
  compared_with: null,
  state: 'open',
  first_seen: 0,
  last_seen: 0,
  raised_at: 0,
  changed_at: null,
  changed_by: null,
};

const KINDS = ['typeConflict', 'nameVariant', 'newInVersion', 'goneInVersion', 'missingOnSource'] as const;

const shapes = fc.array(
  fc.record({ schema: eventSchema, count: fc.integer({ min: 1, max: 9 }), last_seen: fc.nat(99) }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

it('has of each issue the share and the last of the events that it affects', () => {
  const check = fc.property(shapes, (seen) => {
    const read = seen.map((one) => ({ ...one, types: propertyTypes(one.schema) }));
    const known = read.flatMap(({ types }) => types.map(({ path, type }) => ({ path: JSON.stringify(path), type })));
    const ofProperties = known.flatMap(({ path, type }) =>
      KINDS.map((kind): IssueRow => {
        const compared_with = kind === 'typeConflict' ? boundedKey(type) : null;
        return { ...ISSUE, issue_id: [kind, path, type].join(), kind, path, path_key: boundedKey(path), compared_with };
      }),
    );
    const issues = [...new Map([ISSUE, ...ofProperties].map((issue) => [issue.issue_id, issue])).values()];
    const sums = new AffectedSums(issues);
    for (const { schema, ...counts } of seen) sums.add({ ...counts, schema: JSON.stringify(schema) });
    const total = seen.reduce((sum, { count }) => sum + count, 0);
    const expected = issues.map(({ issue_id, kind, path, path_key, compared_with }) => {
      const affected = read.filter(({ types }) => {
        const own = types.filter((one) => JSON.stringify(one.path) === path);
        if (path_key === '') return true;
        if (kind === 'goneInVersion' || kind === 'missingOnSource') return own.length === 0;
        return kind === 'typeConflict' ? own.some(({ type }) => boundedKey(type) !== compared_with) : own.length > 0;
      });
      const share = affected.reduce((sum, { count }) => sum + count, 0) / total;
      return [issue_id, { share, lastSeen: Math.max(0, ...affected.map(({ last_seen }) => last_seen)) }];
    });
    expect([...sums.affected()]).toEqual(expected);
  });
  fc.assert(check);
});

it('knows nothing of an event that nobody sent', () => {
  expect(new AffectedSums([ISSUE]).affected()).toEqual(new Map());
});
