import { useState } from 'preact/hooks';
import { useActing } from '../client/acting.ts';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { succeed } from '../client/problem.ts';
import { allows } from '../client/sessions.ts';
import { EmailField } from '../parts/email-field.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';

interface CollaboratorsProps {
  workspaceId: string;
  branch: components['schemas']['Branch'];
  changed: () => void;
}

/** The collaborators of the branch; editors can add more. */
export function Collaborators({ workspaceId, branch: { branchId, collaborators }, changed }: CollaboratorsProps) {
  const [email, setEmail] = useState('');
  const [said, setSaid] = useState('');
  const { act, busy, problem, clear } = useActing(async () => {
    setSaid('');
    const request = { params: { workspaceId, branchId }, body: { collaboratorEmail: email } };
    const { body: branch } = await succeed(api.addCollaborator(request));
    const isNew = branch.collaborators.length > collaborators.length;
    setSaid(isNew ? `Added ${email}.` : `${email} is a collaborator already.`);
    setEmail('');
    changed();
  });
  return (
    <section aria-labelledby="collaborators">
      <h2 id="collaborators">Collaborators</h2>
      {collaborators.length === 0 ? (
        <p class="quiet">Nobody yet.</p>
      ) : (
        <ul class="plain-list">
          {collaborators.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {allows('editor') && (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            void act();
          }}
        >
          <EmailField
            label="Add by e-mail"
            value={email}
            autocomplete="off"
            change={(text) => {
              setEmail(text);
              setSaid('');
              clear();
            }}
          />
          <button aria-disabled={busy}>Add</button>
        </form>
      )}
      <p role="status" class="quiet">
        {said}
      </p>
      <ProblemNotice problem={problem} />
    </section>
  );
}
