import { useState } from 'preact/hooks';
import { useActing } from '../client/acting.ts';
import { api } from '../client/api.ts';
import { type Problem, succeed } from '../client/problem.ts';
import { go } from '../navigation/place.ts';
import { paths } from '../navigation/paths.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';

interface CreateDialogProps {
  workspaceId: string;
  close: () => void;
}

/** Creates a branch and opens its page. */
export function CreateDialog({ workspaceId, close }: CreateDialogProps) {
  const [name, setName] = useState('');
  const { act, busy, problem, clear } = useActing(async (wanted: string) => {
    const created = await succeed(api.createBranch({ params: { workspaceId }, body: { name: wanted } }));
    go(paths.branch(workspaceId, created.body.branchId));
  });
  const suggestion = suggestedName(problem);
  return (
    <Dialog title="Create a branch" close={close} keepsTyped>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act(name);
        }}
      >
        <Field
          label="Name"
          hint="Lowercase letters, digits and hyphens, such as checkout-events."
          value={name}
          required
          maxLength={255}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={problem !== undefined}
          onInput={({ currentTarget }) => {
            setName(currentTarget.value);
            clear();
          }}
        />
        <ProblemNotice problem={problem}>
          {suggestion !== undefined && (
            <button
              type="button"
              onClick={() => {
                setName(suggestion);
                void act(suggestion);
              }}
            >
              Create “{suggestion}”
            </button>
          )}
        </ProblemNotice>
        <div class="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="primary" aria-disabled={busy}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The name that the server suggests instead of an invalid one. */
function suggestedName(problem: Problem | undefined): string | undefined {
  if (problem?.status !== 400) return undefined;
  return /^Invalid branch name, try "([a-z0-9-]+)" instead$/.exec(problem.message)?.[1];
}
