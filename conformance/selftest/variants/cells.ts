import { type Notation, writeRow, usualNotation } from '../service/csv.ts';
import { listBranches, correct } from '../service/behaviour.ts';
import type { Difference } from '../fault.ts';
import type { Branch } from '../service/world.ts';

const notation = (name: string, does: string, change: Partial<Notation>): Difference => ({
  name,
  does,
  change: () => ({ row: (branch) => writeRow(branch, { ...usualNotation, ...change }) }),
});

/** What the documents leave open about the cells and rows of the export. */
export const cells: readonly Difference[] = [
  notation('dates-with-offset', 'writes dates as RFC 3339 with an offset', {
    date: (date) => date.toISOString().replace('Z', '+00:00'),
  }),
  notation('dates-as-milliseconds', 'writes dates as milliseconds since 1970', {
    date: (date) => String(date.getTime()),
  }),
  notation('dates-with-utc', 'writes dates as 2026-01-02 03:04:05 UTC', {
    date: (date) => date.toISOString().replace('T', ' ').replace(/\..*/, ' UTC'),
  }),
  notation('dates-with-commas', 'writes dates as HTTP does, with a comma', { date: (date) => date.toUTCString() }),
  notation('collaborators-semicolons', 'separates collaborators by semicolons', {
    collaborators: (emails) => emails.join('; '),
  }),
  notation('collaborators-json', 'writes collaborators as JSON', { collaborators: (emails) => JSON.stringify(emails) }),
  notation('collaborators-spaces', 'separates collaborators by spaces', {
    collaborators: (emails) => emails.join(' '),
  }),
  notation('collaborators-lines', 'writes collaborators in lines of one cell', {
    collaborators: (emails) => emails.join('\n'),
  }),
  notation('collaborators-braces', 'writes collaborators in braces', {
    collaborators: (emails) => `{${emails.join(',')}}`,
  }),
  notation('never-is-null', 'writes null for what never happened', { never: 'null' }),
  notation('never-is-a-dash', 'writes a dash for what never happened', { never: '-' }),
  notation('never-is-a-word', 'writes N/A for what never happened', { never: 'N/A' }),
  notation('dates-to-the-minute', 'writes dates without seconds', {
    date: (date) => `${date.toISOString().slice(0, 16)}Z`,
  }),
  notation('dates-of-days', 'writes dates without the time of day', {
    date: (date) => date.toISOString().slice(0, 10),
  }),
  notation('dates-for-people', 'writes dates as people do', {
    date: (date) =>
      `${date.getUTCDate()}/${date.getUTCMonth() + 1}/${date.getUTCFullYear()}, ${date.getUTCHours()}:${date.getUTCMinutes()}`,
  }),
  notation('dates-in-seconds', 'writes dates as seconds since 1970', {
    date: (date) => String(Math.floor(date.getTime() / 1_000)),
  }),
  notation('dates-with-their-zone', 'writes dates with the offset of a zone', {
    date: (date) => new Date(date.getTime() + 2 * 3_600_000).toISOString().replace('Z', '+02:00'),
  }),
  ...[-1e11, 47 * 60_000].map((ahead): Difference => ({
    name: `dates-of-a-wrong-clock-${ahead < 0 ? 'behind' : 'ahead'}`,
    does: `has a clock that is ${ahead} ms ahead, as its Date header says`,
    change: () => ({
      row: (branch) =>
        writeRow(branch, { ...usualNotation, date: (date) => new Date(date.getTime() + ahead).toISOString() }),
      reply: (reply) => ({
        ...reply,
        headers: { ...reply.headers, date: new Date(Date.now() + ahead).toUTCString() },
      }),
    }),
  })),
  {
    name: 'never-changes',
    does: 'writes the time of the export for what never happened',
    change: () => ({ row: (branch) => writeRow(branch, { ...usualNotation, never: new Date().toISOString() }) }),
  },
  {
    name: 'old-branches-of-nobody',
    does: 'holds old branches whose creator is gone',
    change: () => ({
      exported: (call) =>
        listBranches(call).map((branch, index) =>
          index < 5 ? { ...branch, creatorId: '', creatorEmail: '' } : branch,
        ),
    }),
  },
  {
    name: 'old-names-again',
    does: 'holds ended branches of one name',
    change: () => ({
      exported: (call) =>
        listBranches(call).map((branch, index) => (index < 2 ? { ...branch, name: 'again' } : branch)),
    }),
  },
  {
    name: 'creator-with-name',
    does: 'gives the e-mail of the creator with a name',
    change: () => ({
      newBranch: (name, account) => ({
        ...correct.newBranch(name, account),
        creatorEmail: `"Bot, Release" <${account.email}>`,
      }),
    }),
  },
  {
    name: 'always-dates',
    does: 'gives the date of creation for each step that never happened',
    change: () => ({
      row: (branch) => writeRow(branch, { ...usualNotation, never: usualNotation.date(branch.createdAt) }),
    }),
  },
  {
    name: 'creator-helps',
    does: 'names the creator among the collaborators',
    change: () => ({
      newBranch: (name, account) => ({
        ...correct.newBranch(name, account),
        collaborators: [account.email, 'a,"b"@x.example'],
      }),
    }),
  },
  {
    name: 'creator-without-email',
    does: 'knows no e-mail of a service account',
    change: () => ({ newBranch: (name, account) => ({ ...correct.newBranch(name, account), creatorEmail: '' }) }),
  },
  {
    name: 'export-late',
    does: 'exports a branch two seconds after it was created',
    change: () => ({
      exported: (call) => listBranches(call).filter(({ createdAt }) => Date.now() - createdAt.getTime() > 2_000),
    }),
  },
  {
    name: 'export-cached',
    does: 'exports what it was a second ago',
    change: () => {
      const shown = new Map<string, { at: number; branches: Branch[] }>();
      return {
        exported: (call) => {
          const known = shown.get(call.workspaceId);
          if (known !== undefined && Date.now() - known.at < 1_000) return known.branches;
          const branches = [...listBranches(call)];
          shown.set(call.workspaceId, { at: Date.now(), branches });
          return branches;
        },
      };
    },
  },
  {
    name: 'newest-first',
    does: 'exports the newest branch first',
    change: () => ({ exported: (call) => listBranches(call).toReversed() }),
  },
  {
    name: 'any-order',
    does: 'exports in another order each time',
    change: () => ({
      exported: (call) =>
        listBranches(call)
          .map((branch) => ({ branch, place: Math.random() }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ branch }) => branch),
    }),
  },
  {
    name: 'old-names',
    does: 'holds an old branch with a name that could not be had today',
    change: () => ({
      exported: (call) => {
        const [first, ...rest] = listBranches(call);
        return first === undefined ? [] : [{ ...first, name: 'Q1, "final"\r\nversion' }, ...rest];
      },
    }),
  },
  {
    name: 'starts-empty',
    does: 'holds no branch at first',
    change: () => ({ exported: (call) => listBranches(call).slice(5) }),
  },
  {
    name: 'starts-full',
    does: 'holds five thousand branches',
    change: () => ({
      exported: (call) => {
        const [first] = listBranches(call);
        const old =
          first === undefined
            ? []
            : Array.from({ length: 5_000 }, (_, index) => ({ ...first, id: `${first.id}${index}` }));
        return [...old, ...listBranches(call)];
      },
    }),
  },
  ...(['ReadyForReview', 'Approved'] as const).map((status) => ({
    name: `starts-as-${status.toLowerCase()}`,
    does: `gives a new branch the status ${status}`,
    change: () => ({
      newBranch: (name: string, account: Parameters<typeof correct.newBranch>[1]) => ({
        ...correct.newBranch(name, account),
        status,
      }),
    }),
  })),
];
