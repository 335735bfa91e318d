import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CSV_HEADER, csvLine } from '../../console/src/branches/csv.ts';
import { csvHeader, csvLines } from '../../server/branches/csv.ts';
import type { BranchRow } from '../../server/branches/tables.ts';
import { branchView } from '../../server/branches/view.ts';

const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
const email = fc.oneof(
  fc.constantFrom('"a,b"@example.com', 'a\nb@example.com', '=HYPERLINK("https://evil.example")@example.com', 'a;=1+1'),
  fc.string(),
);

const row: fc.Arbitrary<BranchRow> = fc.record({
  workspace_id: fc.constant('shop'),
  branch_id: fc.uuid(),
  name: fc.stringMatching(/^[a-z0-9-]+$/),
  status: fc.constantFrom('Draft', 'ReadyForReview', 'Approved', 'Merged', 'Closed'),
  creator_id: fc.uuid(),
  creator_email: email,
  created_at: time,
  collaborators: fc.array(email).map((emails) => JSON.stringify(emails)),
  last_published_at: fc.option(time),
  ready_at: fc.option(time),
  ready_email: fc.option(email),
  merged_at: fc.option(time),
  merged_email: fc.option(email),
  sequence: fc.constant(1),
});

it('the CSV of a list is written as the export for spreadsheets is, to the byte', () => {
  expect(CSV_HEADER).toBe(csvHeader());
  fc.assert(
    fc.property(row, (branch) => {
      expect(csvLine(branchView(branch, 'web.example'))).toBe(csvLines([branch], { forSpreadsheet: true }));
    }),
  );
});

it('no cell of the CSV of a list begins with a formula', () => {
  const view = branchView(fc.sample(row, 1)[0] as BranchRow, 'web.example');
  const line = csvLine({ ...view, branchName: 'a', branchCreatorEmail: '=HYPERLINK(A1)@example.com' });
  expect(line.split(',')[3]).toBe("'=HYPERLINK(A1)'@example.com");
});
