import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';

interface ShownOnceProps {
  title: string;
  children: ComponentChildren;
  close: () => void;
}

/** Shows a secret that the server returns only once. Only its button closes it: Escape is pressed too easily. */
export function ShownOnce({ title, children, close }: ShownOnceProps) {
  return (
    <Dialog title={title} close={() => {}}>
      {children}
      <div class="actions actions-kept">
        <button type="button" class="primary" onClick={close}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
