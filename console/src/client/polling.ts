import { useEffect, useState } from 'preact/hooks';
import type { Reading } from './reading.ts';

const PAUSE_MS = 3_000;

/** Reads again every few seconds for as long as something is waited for and the reader can see the page. */
export function usePolling({ busy, reload }: Reading<unknown>, isWaiting: boolean): void {
  const isVisible = useVisibility();
  useEffect(() => {
    if (!isWaiting || busy || !isVisible) return;
    const timer = setTimeout(reload, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, busy, isVisible]);
}

function useVisibility(): boolean {
  const [isVisible, setIsVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener('visibilitychange', () => setIsVisible(document.visibilityState === 'visible'), {
      signal: stop.signal,
    });
    return () => stop.abort();
  }, []);
  return isVisible;
}
