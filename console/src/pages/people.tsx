import { useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { usePage } from '../client/page-reading.ts';
import { succeed } from '../client/problem.ts';
import { allows, type Session } from '../client/sessions.ts';
import { Icon } from '../parts/icon.tsx';
import { List } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { ChangeRole, Invite, type LinkFor, NewLink, Remove, ShownLink } from '../people/people-dialogs.tsx';
import { ROLE_NAMES } from '../people/roles.ts';

type User = components['schemas']['User'];

/** The open dialog. */
type Doing = { what: 'invite' } | { what: 'role' | 'link' | 'remove'; user: User };

/** The people of the workspace and their roles. */
export function PeoplePage({ session: { workspaceId, userId } }: { session: Session }) {
  const [doing, setDoing] = useState<Doing>();
  const [made, setMade] = useState<LinkFor>();
  const people = usePage(workspaceId, async (query, signal) => {
    return (await succeed(api.listUsers({ params: { workspaceId }, query }, { signal }))).body;
  });
  const close = (): void => setDoing(undefined);
  const done = (): void => {
    close();
    people.reload();
  };
  const doneWithLink = (link: LinkFor): void => {
    done();
    setMade(link);
  };
  return (
    <Page
      title="People"
      actions={
        allows('admin') && (
          <button type="button" class="primary" onClick={() => setDoing({ what: 'invite' })}>
            <Icon name="add" /> Invite
          </button>
        )
      }
    >
      <List
        caption="People"
        reading={people}
        rowsOf={({ users }) => users}
        columns={columns(userId, setDoing)}
        keyOf={(user) => user.userId}
        empty={<p class="empty">Nobody here.</p>}
      />
      {doing?.what === 'invite' && <Invite workspaceId={workspaceId} done={doneWithLink} close={close} />}
      {doing?.what === 'link' && (
        <NewLink workspaceId={workspaceId} user={doing.user} done={doneWithLink} close={close} />
      )}
      {doing?.what === 'role' && <ChangeRole workspaceId={workspaceId} user={doing.user} done={done} close={close} />}
      {doing?.what === 'remove' && <Remove workspaceId={workspaceId} user={doing.user} done={done} close={close} />}
      {made !== undefined && <ShownLink made={made} close={() => setMade(undefined)} />}
    </Page>
  );
}

function columns(ownId: string, ask: (doing: Doing) => void): Column<User>[] {
  const shown: Column<User>[] = [
    {
      name: 'E-mail',
      isHeader: true,
      cell: ({ userId, email }) => (
        <>
          {email} {userId === ownId && <span class="quiet">(you)</span>}
        </>
      ),
    },
    { name: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
    { name: 'Added', cell: ({ addedDate }) => <Time of={addedDate} /> },
    {
      name: 'Last sign-in',
      cell: (user) => <LastSignIn user={user} />,
    },
  ];
  return allows('admin') ? [...shown, { name: '', cell: (user) => <Acts user={user} ask={ask} /> }] : shown;
}

function Acts({ user, ask }: { user: User; ask: (doing: Doing) => void }) {
  const whose = <span class="unseen"> {user.email}</span>;
  return (
    <div class="button-row">
      <button type="button" onClick={() => ask({ what: 'role', user })}>
        Role…{whose}
      </button>
      <button type="button" onClick={() => ask({ what: 'link', user })}>
        New link…{whose}
      </button>
      <button type="button" onClick={() => ask({ what: 'remove', user })}>
        Remove…{whose}
      </button>
    </div>
  );
}

function LastSignIn({ user: { lastSignInDate, linkExpiresDate } }: { user: User }) {
  return (
    <div>
      {lastSignInDate === null ? <span class="quiet">invited, not signed in yet</span> : <Time of={lastSignInDate} />}
      {linkExpiresDate !== undefined && (
        <p class="quiet">
          link until <Time of={linkExpiresDate} />
        </p>
      )}
    </div>
  );
}
