import { pathOf } from '../../engine/http/path.ts';
import { basic } from '../account.ts';
import type { SuiteCase } from '../../engine/case.ts';
import { header } from '../documented.ts';
import { COLUMNS, type ExportTable, judgeExport } from '../export-table.ts';
import { type Evidence, evidenceFor } from '../evidence.ts';
import type { Trial } from '../context.ts';

const decided = (
  id: string,
  clause: string,
  title: string,
  look: (trial: Trial, evidence: Evidence) => void,
): SuiteCase => ({
  id: `profile/${id}`,
  clauses: [clause],
  level: 'profile',
  title,
  cost: {},
  when: 'last',
  run: async (trial) => look(trial, await evidenceFor(trial)),
});

const asked = (id: string, clause: string, title: string, run: (trial: Trial) => Promise<void>): SuiteCase => ({
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
export const profileExport: readonly SuiteCase[] = [
  decided(
    'export-media-type',
    'PROFILE-EXPORT-1',
    'The export is 200 text/csv; charset=utf-8.',
    (trial, { table: { answer } }) => {
      trial.check(answer.status === 200, `The status is ${answer.status}.`);
      const type = header(answer, 'content-type');
      trial.check(type === 'text/csv; charset=utf-8', `The media type is ${type}.`);
    },
  ),
  decided(
    'export-form',
    'PROFILE-EXPORT-1',
    'No byte order mark, every line ended by CRLF.',
    (trial, { table: { text } }) => {
      trial.check(!text.startsWith('\uFEFF'), 'There is a byte order mark.');
      trial.check(text.endsWith('\r\n'), 'The last line is not ended by CRLF.');
      trial.check(!/(?<!\r)\n|\r(?!\n)/.test(text), 'Some line is not ended by CRLF.');
    },
  ),
  decided(
    'export-cells',
    'PROFILE-EXPORT-2',
    'Timestamps have milliseconds and Z, collaborators are a JSON array, what never happened is an empty cell.',
    (trial, { table, fresh, rowOf }) => {
      const dates = table
        .rows()
        .flatMap((row) => [
          row.creationDate,
          row.markedReadyForReviewDate,
          row.branchMergedDate,
          row.lastPublishedDate,
        ]);
      const odd = dates.find((date) => date !== '' && !TIMESTAMP.test(date));
      trial.check(odd === undefined, `A timestamp is written ${JSON.stringify(odd)}.`);
      const row = rowOf(fresh.branchId);
      trial.check(
        row?.collaborators === '[]',
        `The collaborators of a new branch are ${JSON.stringify(row?.collaborators)}.`,
      );
      const never = COLUMNS.slice(7).filter((column) => row?.[column] !== '');
      trial.check(never.length === 0, `A new branch says something in ${never.join(', ')}.`);
    },
  ),
  decided('export-order', 'PROFILE-EXPORT-3', 'Rows are ordered by creation, then id.', (trial, { table }) => {
    const keys = table
      .rows()
      .map(({ creationDate, branchId }) => `${creationDate} ${branchId}`)
      .toArray();
    trial.check(
      keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key),
      'Some row stands before an older one.',
    );
  }),
  decided('new-is-draft', 'PROFILE-OPEN-2', 'A new branch is Draft.', (trial, { fresh, rowOf }) => {
    const status = rowOf(fresh.branchId)?.branchStatus;
    trial.check(status === 'Draft', `A new branch is ${status}.`);
  }),
  asked('export-filter', 'PROFILE-EXPORT-5', 'branchStatuses leaves out what has another status.', async (trial) => {
    const { branchId } = await trial.created();
    const shown = async (query: string): Promise<boolean> =>
      (await table(trial, `branches/export/v1?branchStatuses=${query}`))
        .rows()
        .some((row) => row.branchId === branchId);
    trial.check(await shown('Draft,Approved'), 'A Draft is not in the export of Draft and Approved.');
    trial.check(!(await shown('Merged,Closed')), 'A Draft is in the export of Merged and Closed.');
  }),
  asked(
    'export-spreadsheet',
    'PROFILE-EXPORT-4',
    'With safe=spreadsheet no cell begins as a formula does; without it bytes are kept.',
    async (trial) => {
      const { branchId } = await trial.created(`-${trial.name()}`);
      const nameIn = async (query: string) =>
        (await table(trial, `branches/export/v1${query}`)).rows().find((row) => row.branchId === branchId)?.branchName;
      const [kept, defused] = [await nameIn(''), await nameIn('?safe=spreadsheet')];
      trial.check(
        defused === `'${kept}` && kept?.startsWith('-') === true,
        `The name is ${kept}, and with safe=spreadsheet ${defused}.`,
      );
    },
  ),
  asked(
    'export-sample-path',
    'PROFILE-EXPORT-6',
    'The path of the sample answers with the export, and names the documented path.',
    async (trial) => {
      const { answer } = await table(trial, 'export/v1');
      const link = header(answer, 'link') ?? '';
      trial.check(/<[^>]*\/branches\/export\/v1>; *rel="canonical"/.test(link), `The header Link is ${link}.`);
    },
  ),
];

async function table(trial: Trial, path: string): Promise<ExportTable> {
  const { workspace, account } = trial.session;
  const headers: [string, string][] = [['authorization', basic(account)]];
  const answer = await trial.send({
    path: `${pathOf('workspaces', workspace)}/${path}`,
    lane: 'first export',
    headers,
  });
  const judged = judgeExport(answer);
  trial.demand(judged.problems);
  return judged.table;
}
