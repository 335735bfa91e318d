import type { ComponentChildren } from 'preact';
import { useActing } from '../client/acting.ts';
import { api } from '../client/api.ts';
import { succeed } from '../client/problem.ts';
import { allows, session, type Session } from '../client/sessions.ts';
import { CommandBar } from '../command-bar/command-bar.tsx';
import { ShortcutSetting } from '../command-bar/shortcut.tsx';
import { paths } from '../navigation/paths.ts';
import { go, place } from '../navigation/place.ts';
import { type Section, findSection, SECTIONS } from '../navigation/sections.ts';
import { ROLE_NAMES } from '../people/roles.ts';
import { SessionEnded } from '../signing-in/session-ended.tsx';
import { Icon } from './icon.tsx';
import { ProblemNotice } from './problem-notice.tsx';

interface ShellProps {
  current: Session;
  children: ComponentChildren;
}

/** The frame around all pages of a workspace. */
export function Shell({ current, children }: ShellProps) {
  const { workspaceId } = current;
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="top">
        <div class="top-row">
          <Place workspaceId={workspaceId} />
          <CommandBar workspaceId={workspaceId} />
          <Account current={current} />
        </div>
        <nav aria-label="Workspace">
          <ul class="sections">
            {SECTIONS.filter(({ least }) => allows(least)).map((section) => (
              <li key={section.name}>
                <SectionLink workspaceId={workspaceId} section={section} />
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        <SessionEnded />
        {children}
      </main>
    </>
  );
}

/** The same frame before the session is known, so that the page appears immediately. */
export function ShellOutline({ workspaceId, children }: { workspaceId: string; children: ComponentChildren }) {
  return (
    <>
      <header class="top">
        <div class="top-row">
          <Place workspaceId={workspaceId} />
        </div>
      </header>
      <main>{children}</main>
    </>
  );
}

function Place({ workspaceId }: { workspaceId: string }) {
  return (
    <>
      <a class="brand" href={paths.workspaces()}>
        Branchline
      </a>
      <span class="workspace" title="Workspace">
        {workspaceId}
      </span>
    </>
  );
}

function SectionLink({ workspaceId, section }: { workspaceId: string; section: Section }) {
  const target = section.href(workspaceId);
  const { path } = place.value;
  const isHere = path === target ? 'page' : findSection(workspaceId, path) === section ? 'true' : undefined;
  return (
    <a href={target} aria-current={isHere}>
      {section.name}
    </a>
  );
}

/** The account menu, with Sign out. */
function Account({ current: { workspaceId, email, role } }: { current: Session }) {
  const { act, busy, problem } = useActing(async () => {
    await succeed(api.endSession({ params: { workspaceId } }));
    session.value = undefined;
    go(paths.signIn(workspaceId));
  });
  return (
    <div class="account">
      <button type="button" popovertarget="account" aria-label={`Account of ${email}`}>
        <Icon name="person" />
        <span class="account-email">{email}</span>
      </button>
      <div id="account" popover="auto">
        <p>
          {email}
          <br />
          <span class="quiet">
            {ROLE_NAMES[role]} of {workspaceId}
          </span>
        </p>
        <ShortcutSetting />
        <p>
          <a href={paths.workspaces()}>Workspaces</a>
        </p>
        <ProblemNotice problem={problem} />
        <button type="button" aria-disabled={busy} onClick={() => void act()}>
          Sign out
        </button>
      </div>
    </div>
  );
}
