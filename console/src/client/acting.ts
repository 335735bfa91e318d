import { useEffect, useState } from 'preact/hooks';
import { Problem } from './problem.ts';
import { sessionEnded, sessionsBegun } from './sessions.ts';

/** Something that a page does on the server. */
export interface Acting<Parameters extends unknown[]> {
  /** Resolves with whether it was done; what was wrong is told by `problem`. */
  act: (...parameters: Parameters) => Promise<boolean>;
  busy: boolean;
  problem: Problem | undefined;
  /** Forgets the problem: what it was about has changed. */
  clear: () => void;
}

/** Does one thing at a time, and never by itself again: only who asked for it knows whether it still shall be done. */
export function useActing<Parameters extends unknown[]>(
  perform: (...parameters: Parameters) => Promise<unknown>,
): Acting<Parameters> {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  const begun = sessionsBegun.value;
  useEffect(() => setProblem((before) => (before?.status === 401 ? undefined : before)), [begun]);

  async function act(...parameters: Parameters): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    setProblem(undefined);
    try {
      await perform(...parameters);
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
      if (error.status === 401) sessionEnded.value = true;
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { act, busy, problem, clear: () => setProblem(undefined) };
}
