import { useEffect, useState } from 'preact/hooks';

/** Whether the page is visible. */
export function useVisibility(): boolean {
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
