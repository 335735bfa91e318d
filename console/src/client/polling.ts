import { useEffect } from 'preact/hooks';
import type { Reading } from './reading.ts';
import { useVisibility } from './visibility.ts';

const PAUSE_MS = 3_000;

/** Reads again every few seconds while something is pending and the page is visible. */
export function usePolling({ busy, reload }: Reading<unknown>, isWaiting: boolean): void {
  const isVisible = useVisibility();
  useEffect(() => {
    if (!isWaiting || busy || !isVisible) return;
    const timer = setTimeout(reload, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, busy, isVisible]);
}
