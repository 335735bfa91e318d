import { useCallback, useEffect, useState } from 'preact/hooks';
import { Problem } from './problem.ts';
import { sessionEnded, sessionsBegun } from './sessions.ts';

/** The progress of reading something from the server. */
export interface Reading<Content> {
  /** The latest content; the previous content while new content is being read. */
  content: Content | undefined;
  problem: Problem | undefined;
  /** Whether a request is running. */
  busy: boolean;
  reload: () => void;
}

const LONGEST_WAIT_S = 30;

/**
 * Reads from the server when the page appears and whenever the key changes. Retries automatically while the server is
 * unavailable or busy, and after the session has ended, as soon as a new one starts.
 *
 * @param key identifies the content: the same key means the same content
 */
export function useReading<Content>(key: string, read: (signal: AbortSignal) => Promise<Content>): Reading<Content> {
  const [content, setContent] = useState<Content>();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(true);
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const begun = sessionsBegun.value;

  useEffect(() => {
    const stop = new AbortController();
    setBusy(true);
    readPatiently(read, setProblem, stop.signal).then(
      (found) => {
        if (stop.signal.aborted) return;
        setContent(() => found);
        setProblem(undefined);
        setBusy(false);
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        setBusy(false);
        if (!(error instanceof Problem)) throw error;
        setProblem(error);
        if (error.status === 401) sessionEnded.value = true;
      },
    );
    return () => stop.abort();
  }, [key, round, begun]);

  return { content, problem, busy, reload };
}

/** @param tell called with each transient problem */
async function readPatiently<Content>(
  read: (signal: AbortSignal) => Promise<Content>,
  tell: (problem: Problem) => void,
  signal: AbortSignal,
): Promise<Content> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await read(signal);
    } catch (error) {
      if (!(error instanceof Problem) || !error.mayPass || signal.aborted) throw error;
      tell(error);
      await waitFor(error.retryAfter ?? Math.min(2 ** tries, LONGEST_WAIT_S), signal);
    }
  }
}

/** Waits for the given time, or until the browser is online again. */
export function waitFor(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    window.addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
