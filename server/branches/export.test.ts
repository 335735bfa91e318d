// @module-tag both-engines
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { csvHeader } from './csv.ts';
import { changeStatus } from './decisions.ts';
import { canonicalLink, contentDisposition, csvExport } from './export.ts';
import type { BranchStatus } from './lifecycle.ts';
import { branchStore } from './store.ts';
import type { BranchRow } from './tables.ts';
import { changeBranch, createBranch, happen, idAt } from './testing/branches.ts';
import { test } from './testing/database.ts';
import { branchRow } from './testing/rows.ts';
import { UnreadableValue } from '../storage/unreadable-value.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';

const OPTIONS = { holder: 'demo' };

describe('the export', () => {
  test('has all 12 columns right for branches in every state', async ({ storage }) => {
    const paths: BranchStatus[][] = [
      [],
      ['ReadyForReview'],
      ['ReadyForReview', 'Approved'],
      ['ReadyForReview', 'Approved', 'Merged'],
      ['Closed'],
      ['ReadyForReview', 'Draft'],
    ];
    for (const [index, statuses] of paths.entries()) {
      await createBranch(storage, `branch-${index}`, index);
      for (const status of statuses) await changeBranch(storage, idAt(index), changeStatus(status), 1_000 + index);
    }
    await happen(storage, idAt(0), { type: 'collaboratorAdded', email: 'grace@example.com' });
    await happen(storage, idAt(0), { type: 'published' }, 5_000);

    const { data } = Papa.parse<string[]>(
      await whole(csvExport(branchStore(storage).stream({ workspaceId: 'demo' }), OPTIONS)),
    );
    expect(data.slice(1, -1)).toEqual([
      line(0, 'Draft', '["grace@example.com"]', '1970-01-01T00:00:05.000Z', '', '', '', ''),
      line(1, 'ReadyForReview', '[]', '', ...changed(1), '', ''),
      line(2, 'Approved', '[]', '', ...changed(2), '', ''),
      line(3, 'Merged', '[]', '', ...changed(3), ...changed(3)),
      line(4, 'Closed', '[]', '', '', '', '', ''),
      line(5, 'Draft', '[]', '', ...changed(5), '', ''),
    ]);
  });

  it('cuts large branches into pieces, and loses none', async () => {
    const collaborators = JSON.stringify(
      Array.from({ length: 100 }, (_, at) => `${at}`.padStart(240, 'x') + '@e.example'),
    );
    const rows = Array.from({ length: 500 }, (_, at) => branchRow({ branch_id: `id-${at}`, collaborators }));
    const pieces = await Array.fromAsync(csvExport(chunks(rows), OPTIONS));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(128 * 1024);
    const { data } = Papa.parse<string[]>(pieces.join(''));
    expect(data.slice(1, -1).map((cells) => cells[1])).toEqual(rows.map(({ branch_id }) => branch_id));
  });

  it('ends where collaborators can not be read, instead of passing them on', async () => {
    const rows = [branchRow(), branchRow({ collaborators: '["grace@example.com"Y' })];
    await expect(Array.fromAsync(csvExport(chunks(rows), OPTIONS))).rejects.toThrow(UnreadableValue);
  });

  test('goes on over many chunks in order, from one snapshot', async ({ storage }) => {
    const count = 1_100;
    const rows = Array.from({ length: count }, (_, index) =>
      branchRow({ branch_id: `id-${index}`, name: `name-${index}`, created_at: count - Math.floor(index / 2) }),
    );
    await ofTest(storage).db.insertInto('branches').values(rows).execute();
    const pieces: string[] = [];
    for await (const piece of csvExport(branchStore(storage).stream({ workspaceId: 'demo' }), OPTIONS)) {
      pieces.push(piece);
      await ofTest(storage).db.updateTable('branches').set({ name: 'changed-meanwhile', status: 'Closed' }).execute();
    }
    expect(pieces.length).toBeGreaterThan(2);
    const { data } = Papa.parse<string[]>(pieces.join(''));
    const expected = rows.toSorted((a, b) => a.created_at - b.created_at || (a.branch_id < b.branch_id ? -1 : 1));
    expect(data.slice(1, -1).map((cells) => cells[0])).toEqual(expected.map(({ name }) => name));
  });

  it('is the header line where there is no branch', async () => {
    expect(await whole(csvExport(chunks(), OPTIONS))).toBe(csvHeader());
  });

  it('reads nothing before its first piece is asked for', async () => {
    let reads = 0;
    const counting: AsyncIterable<BranchRow[]> = {
      [Symbol.asyncIterator]: () => {
        reads += 1;
        return chunks([branchRow()]);
      },
    };
    const body = csvExport(counting, OPTIONS);
    expect(reads).toBe(0);
    await body.next();
    expect(reads).toBe(1);
  });

  it('throws before its first piece when the first rows can not be read', async () => {
    await expect(csvExport(chunks(new Error('disk gone')), OPTIONS).next()).rejects.toThrow('disk gone');
  });

  it('throws on a failure after some rows, and never ends as if it were whole', async () => {
    const body = csvExport(chunks([branchRow()], [branchRow()], new Error('disk gone')), OPTIONS);
    expect((await body.next()).value).toContain('checkout');
    expect((await body.next()).value).toContain('checkout');
    await expect(body.next()).rejects.toThrow('disk gone');
  });

  it('frees the snapshot when the reader leaves', async () => {
    let freed = false;
    async function* rows() {
      try {
        yield [branchRow()];
        yield [branchRow()];
      } finally {
        freed = true;
      }
    }
    const body = csvExport(rows(), OPTIONS);
    await body.next();
    await body.return(undefined);
    expect(freed).toBe(true);
  });
});

describe('its headers', () => {
  it('have a safe file name', () => {
    expect(contentDisposition('demo')).toBe('attachment; filename="branches-demo.csv"');
    expect(contentDisposition('../a"b\r\nä')).toBe('attachment; filename="branches-___a_b___.csv"');
  });

  it('name the documented path, percent-encoded', () => {
    expect(canonicalLink('demo')).toBe('</workspaces/demo/branches/export/v1>; rel="canonical"');
    expect(canonicalLink('a b/>ü')).toBe('</workspaces/a%20b%2F%3E%C3%BC/branches/export/v1>; rel="canonical"');
  });
});

/** The line of a branch of these tests: created in its own millisecond. */
function line(index: number, status: string, ...rest: string[]): string[] {
  const created = `1970-01-01T00:00:00.00${index}Z`;
  return [`branch-${index}`, idAt(index), 'account-1', 'ci@example.com', created, status, ...rest];
}

/** When and by whom a branch of these tests was changed: all at once, a second after its creation. */
function changed(index: number): string[] {
  return [`1970-01-01T00:00:01.00${index}Z`, 'ci@example.com'];
}

async function* chunks(...each: (BranchRow[] | Error)[]): AsyncGenerator<BranchRow[]> {
  for (const chunk of each) {
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
}

async function whole(body: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(body)).join('');
}
