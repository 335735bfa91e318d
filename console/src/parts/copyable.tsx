import { useRef, useState } from 'preact/hooks';

interface CopyableProps {
  /** What is copied, in a word or two. */
  name: string;
  text: string;
}

/** A text to take along, with a button that copies it. */
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

/** A browser lets pages use the clipboard over TLS and on this machine only; elsewhere the text is selected. */
async function copy(text: string, shown: HTMLElement | null): Promise<'copied' | 'selected'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    if (shown !== null) getSelection()?.selectAllChildren(shown);
    return 'selected';
  }
}
