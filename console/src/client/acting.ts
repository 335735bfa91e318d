import { useEffect, useState } from 'preact/hooks';
import { Problem } from './problem.ts';
import { sessionEnded, sessionsBegun } from './sessions.ts';

/** An action that a page performs on the server. */
export interface Acting<Parameters extends unknown[]> {
  /** Resolves with whether the action succeeded; if not, `problem` says why. */
  act: (...parameters: Parameters) => Promise<boolean>;
  busy: boolean;
  problem: Problem | undefined;
  /** Clears the problem, because its cause has changed. */
  clear: () => void;
}

/** Runs one action at a time, without retries: only the user knows whether it should still happen. */
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
