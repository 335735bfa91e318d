import { useLayoutEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { SearchDialog } from './search-dialog.tsx';
import { slashOpens } from './shortcut.tsx';

/** Opens the search for pages, branches and events, by button, `/` or Ctrl-K. */
export function CommandBar({ workspaceId }: { workspaceId: string }) {
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const stop = new AbortController();
    document.addEventListener(
      'keydown',
      (event) => {
        if (!opens(event) || document.querySelector('dialog[open]') !== null) return;
        event.preventDefault();
        setOpen(true);
      },
      { signal: stop.signal },
    );
    return () => stop.abort();
  }, []);
  return (
    <>
      <button type="button" class="search-button" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        <Icon name="search" /> <span class="search-word">Search</span> <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {open && <SearchDialog workspaceId={workspaceId} close={() => setOpen(false)} />}
    </>
  );
}

function opens({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k') return (ctrlKey || metaKey) && !altKey;
  const isTyping = target instanceof Element && target.closest('input, select, textarea') !== null;
  return key === '/' && slashOpens.value && !isTyping && !ctrlKey && !metaKey && !altKey;
}
