import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** Called when the dialog is closed, also by Escape. */
  close: () => void;
  /** Whether Escape asks for confirmation if something was typed. Defaults to no. */
  keepsTyped?: boolean;
  children: ComponentChildren;
}

/** A modal dialog, open while it is rendered. The browser keeps the focus in it and gives it back afterwards. If what had it is gone by then, the heading of the page gets it. */
export function Dialog({ title, close, keepsTyped = false, children }: DialogProps) {
  const hasTyped = useRef(false);
  const [isAsking, setIsAsking] = useState(false);
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Synchronously, so that the dialog has the focus before the next keystroke.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onInput={() => {
        hasTyped.current = true;
        setIsAsking(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !keepsTyped || !hasTyped.current) return;
        event.preventDefault();
        setIsAsking(!isAsking);
      }}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      {isAsking && (
        <div class="notice notice-bad" role="alert">
          <div>
            <p>Discard what you typed?</p>
            <button type="button" class="danger" onClick={close}>
              Discard
            </button>
          </div>
        </div>
      )}
    </dialog>
  );
}
