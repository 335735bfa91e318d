import { useCallback, useEffect, useState } from 'preact/hooks';
import { Problem } from './problem.ts';
import { sessionEnded, sessionsBegun } from './sessions.ts';

/** What a page reads from the server, as far as it has come. */
export interface Reading<Content> {
  /** The latest that was read; while something else is read, what was there before. */
  content: Content | undefined;
  problem: Problem | undefined;
  /** Whether the server is being asked. */
  busy: boolean;
  reload: () => void;
}

const LONGEST_WAIT_S = 30;

/**
 * Reads from the server when the page appears and whenever the key changes. Where the server is away or busy it tries again by
 * itself, and where the session is over, as soon as another has begun.
 *
 * @param key says what is read: the same key, the same content
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

/** @param tell called with what keeps it from being read for now */
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

/** Waits as long as it is told to, or until the browser is online again. */
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
