import { useRef, useState } from 'preact/hooks';

interface CopyableProps {
  /** A short name of the copied text. */
  name: string;
  text: string;
}

/** A text with a button that copies it. */
export function Copyable({ name, text }: CopyableProps) {
  const shown = useRef<HTMLElement>(null);
  const [state, setState] = useState<'copied' | 'selected'>();
  return (
    <div class="copyable">
      <pre tabIndex={0} aria-label={name} role="region">
        <code ref={shown}>{text}</code>
      </pre>
      <button type="button" onClick={async () => setState(await copy(text, shown.current))}>
        Copy<span class="unseen"> {name}</span>
      </button>
      <span role="status" class="quiet">
        {state === 'copied' && 'Copied.'}
        {state === 'selected' && 'Selected: copy it with Ctrl-C.'}
      </span>
    </div>
  );
}

/** Browsers allow clipboard access only over TLS and on the same machine; elsewhere the text is selected. */
async function copy(text: string, shown: HTMLElement | null): Promise<'copied' | 'selected'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    if (shown !== null) getSelection()?.selectAllChildren(shown);
    return 'selected';
  }
}
