import { findHeader } from '../../engine/http/client.ts';
import { buildPath } from '../../engine/http/path.ts';
import { encodeBasic } from '../account.ts';
import type { ServiceCase } from '../case.ts';
import { COLUMNS, type ExportTable, checkExport } from '../export-table.ts';
import { type Evidence, gatherEvidence } from '../evidence.ts';
import type { ServiceContext } from '../context.ts';

const decided = (
  id: string,
  clause: string,
  title: string,
  look: (context: ServiceContext, evidence: Evidence) => void,
): ServiceCase => ({
  id: `profile/${id}`,
  clauses: [clause],
  level: 'profile',
  title,
  cost: {},
  when: 'last',
  run: async (context) => look(context, await gatherEvidence(context)),
});

const asked = (
  id: string,
  clause: string,
  title: string,
  run: (context: ServiceContext) => Promise<void>,
): ServiceCase => ({
  id: `profile/${id}`,
  clauses: [clause],
  level: 'profile',
  title,
  needs: ['profile'],
  cost: { 'first create': 1, 'first export': 1 },
  run,
});

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Decisions about the export. */
export const profileExport: readonly ServiceCase[] = [
  decided(
    'export-media-type',
    'PROFILE-EXPORT-1',
    'The export is 200 text/csv; charset=utf-8.',
    (context, { table: { answer } }) => {
      context.check(answer.status === 200, `The status is ${answer.status}.`);
      const type = findHeader(answer, 'content-type');
      context.check(type === 'text/csv; charset=utf-8', `The media type is ${type}.`);
    },
  ),
  decided(
    'export-form',
    'PROFILE-EXPORT-1',
    'No byte order mark, every line ended by CRLF.',
    (context, { table: { text } }) => {
      context.check(!text.startsWith('\uFEFF'), 'There is a byte order mark.');
      context.check(text.endsWith('\r\n'), 'The last line is not ended by CRLF.');
      context.check(!/(?<!\r)\n|\r(?!\n)/.test(text), 'Some line is not ended by CRLF.');
    },
  ),
  decided(
    'export-cells',
    'PROFILE-EXPORT-2',
    'Timestamps have milliseconds and Z, collaborators are a JSON array, what never happened is an empty cell.',
    (context, { table, fresh, findRow }) => {
      const dates = table
        .rows()
        .flatMap((row) => [
          row.creationDate,
          row.markedReadyForReviewDate,
          row.branchMergedDate,
          row.lastPublishedDate,
        ]);
      const odd = dates.find((date) => date !== '' && !TIMESTAMP.test(date));
      context.check(odd === undefined, `A timestamp is written ${JSON.stringify(odd)}.`);
      const row = findRow(fresh.branchId);
      context.check(
        row?.collaborators === '[]',
        `The collaborators of a new branch are ${JSON.stringify(row?.collaborators)}.`,
      );
      const never = COLUMNS.slice(7).filter((column) => row?.[column] !== '');
      context.check(never.length === 0, `A new branch says something in ${never.join(', ')}.`);
    },
  ),
  decided('export-order', 'PROFILE-EXPORT-3', 'Rows are ordered by creation, then id.', (context, { table }) => {
    const keys = table
      .rows()
      .map(({ creationDate, branchId }) => `${creationDate} ${branchId}`)
      .toArray();
    context.check(
      keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key),
      'Some row stands before an older one.',
    );
  }),
  decided('new-is-draft', 'PROFILE-OPEN-2', 'A new branch is Draft.', (context, { fresh, findRow }) => {
    const status = findRow(fresh.branchId)?.branchStatus;
    context.check(status === 'Draft', `A new branch is ${status}.`);
  }),
  asked('export-filter', 'PROFILE-EXPORT-5', 'branchStatuses leaves out what has another status.', async (context) => {
    const { branchId } = await context.createBranch();
    const shown = async (query: string): Promise<boolean> =>
      (await table(context, `branches/export/v1?branchStatuses=${query}`))
        .rows()
        .some((row) => row.branchId === branchId);
    context.check(await shown('Draft,Approved'), 'A Draft is not in the export of Draft and Approved.');
    context.check(!(await shown('Merged,Closed')), 'A Draft is in the export of Merged and Closed.');
  }),
  asked(
    'export-spreadsheet',
    'PROFILE-EXPORT-4',
    'With safe=spreadsheet no cell begins as a formula does; without it bytes are kept.',
    async (context) => {
      const { branchId } = await context.createBranch(`-${context.name()}`);
      const nameIn = async (query: string) =>
        (await table(context, `branches/export/v1${query}`)).rows().find((row) => row.branchId === branchId)
          ?.branchName;
      const [kept, defused] = [await nameIn(''), await nameIn('?safe=spreadsheet')];
      context.check(
        defused === `'${kept}` && kept?.startsWith('-') === true,
        `The name is ${kept}, and with safe=spreadsheet ${defused}.`,
      );
    },
  ),
  asked(
    'export-sample-path',
    'PROFILE-EXPORT-6',
    'The path of the sample answers with the export, and names the documented path.',
    async (context) => {
      const { answer } = await table(context, 'export/v1');
      const link = findHeader(answer, 'link') ?? '';
      context.check(/<[^>]*\/branches\/export\/v1>; *rel="canonical"/.test(link), `The header Link is ${link}.`);
    },
  ),
];

async function table(context: ServiceContext, path: string): Promise<ExportTable> {
  const { workspace, account } = context.session;
  const headers: [string, string][] = [['authorization', encodeBasic(account)]];
  const answer = await context.send({
    path: `${buildPath('workspaces', workspace)}/${path}`,
    lane: 'first export',
    headers,
  });
  const judged = checkExport(answer);
  context.demand(judged.problems);
  return judged.table;
}
