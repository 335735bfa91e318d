import { Copyable } from '../parts/copyable.tsx';
import { linkCommands } from './link-commands.ts';

/** For who has nothing to sign in with. */
export function HowToGetALink({ workspaceId }: { workspaceId: string }) {
  const { link, invite } = linkCommands(workspaceId);
  return (
    <details>
      <summary>No password yet, or forgotten?</summary>
      <p>An admin of the workspace makes a sign-in link for you, under People.</p>
      <p>Whoever runs the server makes one in Branchline's own folder. For somebody who is in the workspace already:</p>
      <Copyable name="command for who is there" text={link} />
      <p>For somebody who is new to it:</p>
      <Copyable name="command for who is new" text={invite} />
    </details>
  );
}
