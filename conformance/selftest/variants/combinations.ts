import { type Behaviour, type Reply, correct } from '../service/behaviour.ts';
import { type Notation, quoteCell, toCsv, usualNotation, writeLines, writeRow } from '../service/csv.ts';
import { type Difference, onReply } from '../fault.ts';

/** Lawful choices that are derived from each point that the documents leave open, and pairs of them. */

type Named<T> = Readonly<Record<string, T>>;

const DATES: Named<Notation['date']> = {
  'with-offset': (date) => date.toISOString().replace('Z', '+00:00'),
  'with-short-offset': (date) => date.toISOString().replace('Z', '+00'),
  'of-new-york': (date) => new Date(date.getTime() - 5 * 3_600_000).toISOString().replace('Z', '-05:00'),
  milliseconds: (date) => String(date.getTime()),
  seconds: (date) => String(Math.floor(date.getTime() / 1_000)),
  http: (date) => date.toUTCString(),
  'to-the-minute': (date) => `${date.toISOString().slice(0, 16)}Z`,
  'with-blank': (date) => date.toISOString().replace('T', ' ').replace('Z', ''),
  days: (date) => date.toISOString().slice(0, 10),
};

const plain = (cell: string): string => (/[",\r\n]/.test(cell) ? quoteCell(cell) : cell);

const FORMS: Named<Behaviour['csv']> = {
  crlf: toCsv,
  lf: (rows) => writeLines(rows, plain, '\n'),
  quoted: (rows) => writeLines(rows, quoteCell, '\r\n'),
  'quoted-lf': (rows) => writeLines(rows, quoteCell, '\n'),
  bom: (rows) => `\u{FEFF}${toCsv(rows)}`,
  'bom-quoted': (rows) => `\u{FEFF}${writeLines(rows, quoteCell, '\r\n')}`,
  unended: (rows) => toCsv(rows).slice(0, -2),
};

const COLLABORATORS: Named<Notation['collaborators']> = {
  json: (emails) => JSON.stringify(emails),
  semicolons: (emails) => emails.join(';'),
  blanks: (emails) => emails.join(' '),
  lines: (emails) => emails.join('\n'),
  bars: (emails) => emails.join('|'),
};

const NEVER: Named<string> = { null: 'null', dash: '-', 'n-a': 'N/A', never: 'never', none: 'None' };

const exports = Object.entries(DATES).flatMap(([date, writeDate]) =>
  Object.entries(FORMS).map(([form, csv]): Difference => ({
    name: `dates-${date}-in-${form}`,
    does: `writes dates ${date}, in CSV ${form}`,
    change: () => ({ csv, row: (branch) => writeRow(branch, { ...usualNotation, date: writeDate }) }),
  })),
);

const cells = Object.entries(COLLABORATORS).flatMap(([form, collaborators]) =>
  Object.entries(NEVER).map(([word, never]): Difference => ({
    name: `helpers-${form}-never-${word}`,
    does: `writes collaborators as ${form}, and ${never} for what never happened`,
    change: () => ({ row: (branch) => writeRow(branch, { ...usualNotation, collaborators, never }) }),
  })),
);

const replies = (
  name: string,
  does: string,
  kind: Reply['kind'],
  change: (reply: Reply) => Partial<Reply>,
): Difference => ({
  name,
  does,
  change: () => onReply(kind, change),
});

const statuses: readonly Difference[] = [
  ...[400, 402, 405, 406, 409, 410, 412, 418, 422, 423, 451].map((status): Difference => ({
    name: `export-refusal-${status}`,
    does: `answers an export without good credentials with ${status}`,
    change: () => ({
      reply: (reply, { operation }) =>
        reply.kind === 'unauthorized' && operation === 'export' ? { ...reply, status } : reply,
    }),
  })),
  ...[400, 402, 405, 406, 409, 410, 418, 422, 451].map((status) =>
    replies(`foreign-${status}`, `answers ${status} for a workspace of others`, 'foreign', () => ({ status })),
  ),
  ...[202, 206, 226].map((status) =>
    replies(`exported-${status}`, `answers an export with ${status}`, 'exported', () => ({ status })),
  ),
];

const EXPORT_TYPES = [
  'application/csv',
  'text/x-csv',
  'application/x-csv',
  'text/comma-separated-values',
  'TEXT/CSV',
  'text/csv;charset=UTF-8',
  'text/csv; charset=us-ascii',
  'text/plain; charset=utf-8',
  'binary/octet-stream',
];
const ERROR_TYPES = [
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/problem+json',
  'application/vnd.api+json; charset=UTF-8',
  'text/json',
];

const mediaTypes: readonly Difference[] = [
  ...EXPORT_TYPES.map((type, index) =>
    replies(`exported-as-${index}`, `answers an export as ${type}`, 'exported', () => ({
      headers: { 'content-type': type },
    })),
  ),
  ...ERROR_TYPES.flatMap((type, index) =>
    (['invalid', 'conflict', 'unauthorized'] as const).map((kind) =>
      replies(`${kind}-as-${index}`, `calls an error ${type} (${kind})`, kind, () => ({
        headers: { 'content-type': type },
      })),
    ),
  ),
];

const lengths = [30, 50, 63, 64, 100, 128, 200, 255].map((most): Difference => ({
  name: `names-up-to-${most}`,
  does: `refuses names of more than ${most} characters`,
  change: () => ({ isValidName: (asked) => correct.isValidName(asked) && asked.length <= most }),
}));

const PROPOSALS = ['a', '0', 'x-1', '1-2-3', 'new-branch', 'branch-of-today', '2026-01-02', 'con', 'null', 'v1'];

const proposals = PROPOSALS.map((name): Difference => ({
  name: `proposes-${name}`,
  does: `proposes ${name} to everybody`,
  change: () => ({ suggest: () => name }),
}));

const redirects = [307, 308].map((status): Difference => ({
  name: `redirects-${status}`,
  does: `answers each call with ${status} first, to another path of its own`,
  change: () => ({
    limit: ({ url }) =>
      url.includes('followed')
        ? undefined
        : { kind: 'limited', status, headers: { location: `${url}?followed` }, body: '' },
  }),
}));

export const combinations: readonly Difference[] = [
  ...exports,
  ...cells,
  ...statuses,
  ...mediaTypes,
  ...lengths,
  ...proposals,
  ...redirects,
];
