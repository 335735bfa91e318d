import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** Called when the reader leaves it, by Escape too. */
  close: () => void;
  /** Whether Escape asks first where something was typed. Defaults to no. */
  keepsTyped?: boolean;
  children: ComponentChildren;
}

/** A dialog over the page, open for as long as it is rendered. The browser keeps the focus in it, and gives it back. */
export function Dialog({ title, close, keepsTyped = false, children }: DialogProps) {
  const hasTyped = useRef(false);
  const [isAsking, setIsAsking] = useState(false);
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before anything else is typed: it has the focus from now on.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
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
            <p>Leave, and lose what you typed?</p>
            <button type="button" class="danger" onClick={close}>
              Leave
            </button>
          </div>
        </div>
      )}
    </dialog>
  );
}
