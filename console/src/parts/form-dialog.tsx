import type { ComponentChildren } from 'preact';
import { useActing } from '../client/acting.ts';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './problem-notice.tsx';

interface FormDialogProps {
  title: string;
  /** What pressing the button does, in a verb. */
  verb: string;
  /** Defaults to `primary`; `danger` for what can't be undone. */
  tone?: 'primary' | 'danger';
  children: ComponentChildren;
  perform: () => Promise<unknown>;
  /** Called once it was done. */
  done: () => void;
  close: () => void;
}

/** Asks for what an act takes, or whether it shall be done at all. What was typed stays where the server refuses it. */
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
