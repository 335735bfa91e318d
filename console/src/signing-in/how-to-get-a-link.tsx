import { Copyable } from '../parts/copyable.tsx';
import { linkCommands } from './link-commands.ts';

/** Help for people who have nothing to sign in with. */
export function HowToGetALink({ workspaceId }: { workspaceId: string }) {
  const { link, invite } = linkCommands(workspaceId, location.origin);
  return (
    <details>
      <summary>No password yet, or forgotten?</summary>
      <p>An admin of the workspace can create a sign-in link for you, under People.</p>
      <p>The server's operator can create one in Branchline's folder. For a member of the workspace:</p>
      <Copyable name="command for who is there" text={link} />
      <p>For a new person:</p>
      <Copyable name="command for who is new" text={invite} />
    </details>
  );
}
