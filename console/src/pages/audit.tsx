import { KINDS } from '../issues/kinds.ts';
import { ROLE_NAMES } from '../people/roles.ts';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { usePage } from '../client/page-reading.ts';
import { succeed } from '../client/problem.ts';
import type { Session } from '../client/sessions.ts';
import { List } from '../parts/list.tsx';
import { ObservedText } from '../parts/observed-text.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';

type AuditLine = components['schemas']['AuditLine'];

const ACTS: Readonly<Record<AuditLine['act'], string>> = {
  workspaceCreated: 'Created the workspace',
  workspaceRekeyed: 'Moved to another hash key',
  signInLinkCreated: 'Created a sign-in link',
  userInvited: 'Invited',
  userJoined: 'Joined',
  identityBound: 'Bound an account',
  roleChanged: 'Changed a role',
  userRemoved: 'Removed',
  passwordChanged: 'Changed a password',
  serviceAccountCreated: 'Created a service account',
  serviceAccountDeleted: 'Deleted a service account',
  apiKeyCreated: 'Created an API key',
  apiKeyDeleted: 'Deleted an API key',
  issueResolved: 'Resolved an issue',
  issueIgnored: 'Ignored an issue',
  issueReopened: 'Opened an issue again',
};

const COLUMNS: readonly Column<AuditLine>[] = [
  { name: 'When', isHeader: true, cell: ({ date }) => <Time of={date} /> },
  { name: 'Who', cell: ({ actorEmail }) => actorEmail ?? <span class="quiet">the command line</span> },
  { name: 'Did', cell: ({ act }) => ACTS[act] },
  { name: 'To', cell: (line) => <ObservedText text={subjectText(line)} /> },
];

/** The subject of an action, in the other pages' words: an issue's kind comes first, a person's role last. */
function subjectText({ act, subject }: AuditLine): string {
  const [kind] = Object.entries(KINDS).find(([key]) => act.startsWith('issue') && subject.startsWith(`${key}, `)) ?? [];
  if (kind !== undefined) return `${KINDS[kind as keyof typeof KINDS]}${subject.slice(kind.length)}`;
  const [role] = Object.entries(ROLE_NAMES).find(([key]) => ROLE_ACTS.has(act) && subject.endsWith(` as ${key}`)) ?? [];
  return role === undefined ? subject : subject.slice(0, -role.length) + ROLE_NAMES[role as keyof typeof ROLE_NAMES];
}

const ROLE_ACTS: ReadonlySet<AuditLine['act']> = new Set(['userInvited', 'userJoined', 'roleChanged']);

/** The audit log, newest first. */
export function AuditPage({ session: { workspaceId } }: { session: Session }) {
  const lines = usePage(workspaceId, async (query, signal) => {
    return (await succeed(api.listAuditLines({ params: { workspaceId }, query }, { signal }))).body;
  });
  return (
    <Page title="Audit">
      <p class="lead">
        Every administrative action in this workspace, newest first. Entries are never changed or removed.
      </p>
      <List
        caption="Administrative acts"
        reading={lines}
        rowsOf={(content) => content.lines}
        columns={COLUMNS}
        keyOf={({ lineId }) => lineId}
        empty={<p class="empty">Nothing has been administered yet.</p>}
      />
    </Page>
  );
}
