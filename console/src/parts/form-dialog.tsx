import type { ComponentChildren } from 'preact';
import { useActing } from '../client/acting.ts';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './problem-notice.tsx';

interface FormDialogProps {
  title: string;
  /** The label of the button, a verb. */
  verb: string;
  /** Defaults to `primary`; `danger` for what can't be undone. */
  tone?: 'primary' | 'danger';
  children: ComponentChildren;
  perform: () => Promise<unknown>;
  /** Called after success. */
  done: () => void;
  close: () => void;
}

/** A dialog that asks for an action's input, or for confirmation. If the server refuses, the input is kept. */
export function FormDialog({ title, verb, tone = 'primary', children, perform, done, close }: FormDialogProps) {
  const { act, busy, problem } = useActing(perform);
  return (
    <Dialog title={title} close={close} keepsTyped>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (await act()) done();
        }}
      >
        {children}
        <ProblemNotice problem={problem} />
        <div class="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class={tone} aria-disabled={busy}>
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
