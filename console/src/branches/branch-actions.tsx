import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useActing } from '../client/acting.ts';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { Problem, succeed } from '../client/problem.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { type BranchStatus, nameStatuses, STATUS_NAMES } from './statuses.ts';
import { TRANSITIONS } from './transitions.ts';

interface BranchActionsProps {
  workspaceId: string;
  branch: components['schemas']['Branch'];
  /** Called when the branch has changed, here or elsewhere. */
  changed: () => void;
}

/** The status changes and other actions that the branch allows. */
export function BranchActions({
  workspaceId,
  branch: { branchId, branchName, branchStatus },
  changed,
}: BranchActionsProps) {
  const params = { workspaceId, branchId };
  const [merging, setMerging] = useState(false);
  const [said, setSaid] = useState('');

  const section = useRef<HTMLElement>(null);
  const shownStatus = useRef(branchStatus);
  useLayoutEffect(() => {
    // The button that changed the status has disappeared, and the focus with it. Not on to the next button: a key held down would press it.
    if (branchStatus !== shownStatus.current && document.activeElement === document.body) section.current?.focus();
    shownStatus.current = branchStatus;
  }, [branchStatus]);

  async function become(status: BranchStatus): Promise<void> {
    await refreshingOnConflict(
      api.changeBranchStatus({ params, body: { branchStatus: status, fromStatus: branchStatus } }),
      changed,
    );
    setSaid(`The branch is now: ${STATUS_NAMES[status]}.`);
  }
  const becoming = useActing(become);
  const publishing = useActing(async () => {
    await refreshingOnConflict(api.recordPublication({ params, body: {} }), changed);
    setSaid('The publication was recorded.');
  });
  const busy = becoming.busy || publishing.busy;

  return (
    <section class="branch-actions" ref={section} tabIndex={-1} aria-label="Actions">
      <div class="button-row" onClickCapture={ignoreSecondOfDoubleClick}>
        {TRANSITIONS[branchStatus].map(({ to, verb }, index) => (
          <button
            key={to}
            type="button"
            class={index === 0 ? 'primary' : ''}
            aria-disabled={busy}
            onClick={() => {
              if (to === 'Merged') setMerging(true);
              else void becoming.act(to);
            }}
          >
            {verb}
          </button>
        ))}
        <button type="button" aria-disabled={busy} onClick={() => void publishing.act()}>
          <Icon name="publish" /> Record publication
        </button>
      </div>
      {branchStatus === 'Merged' && <p class="hint">A merged branch stays merged.</p>}
      <p role="status" class="unseen">
        {said}
      </p>
      <ProblemNotice problem={becoming.problem ?? publishing.problem}>
        {becoming.problem?.status === 409 && <p>The page now shows its current state.</p>}
      </ProblemNotice>
      {merging && (
        <FormDialog
          title={`Mark ${branchName} as merged?`}
          verb="Mark as merged"
          perform={() => become('Merged')}
          done={() => setMerging(false)}
          close={() => setMerging(false)}
        >
          <p>A merged branch stays merged, and its name becomes free.</p>
        </FormDialog>
      )}
    </section>
  );
}

/** If somebody else was faster, the page shows the branch's current state next to the error. */
async function refreshingOnConflict(call: Parameters<typeof succeed>[0], changed: () => void): Promise<void> {
  try {
    await succeed(call);
    changed();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if ([404, 409].includes(error.status)) changed();
    throw new Problem(nameStatuses(error.message), error);
  }
}

/** The first click of a double click may have put another action in the place of its own. */
function ignoreSecondOfDoubleClick(event: MouseEvent): void {
  if (event.detail > 1) event.stopPropagation();
}
