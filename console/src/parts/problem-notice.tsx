import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../client/problem.ts';
import { Icon } from './icon.tsx';
import { Sentence } from './sentence.tsx';

interface ProblemNoticeProps {
  problem: Problem | undefined;
  /** Whether the page retries automatically. */
  retries?: boolean;
  children?: preact.ComponentChildren;
}

/** An error message next to its cause, announced to screen readers. */
export function ProblemNotice({ problem, retries = false, children }: ProblemNoticeProps) {
  return (
    <div role="alert">
      {problem !== undefined && (
        <div class="notice notice-bad">
          <Icon name="warning" />
          <div>
            <p>
              <Sentence text={problem.message} />
              {retries && problem.mayPass && ' Retrying automatically.'}
              {!retries && problem.retryAfter !== undefined && !SAYS_WHEN.test(problem.message) && (
                <Countdown seconds={problem.retryAfter} />
              )}
            </p>
            {children}
          </div>
        </div>
      )}
    </div>
  );
}

/** A sentence that already says when to try again. */
const SAYS_WHEN = /try again in/i;

/** Counts down to the next possible attempt. */
function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(Math.ceil(seconds));
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return <span aria-live="off">{left > 0 ? ` Try again in ${left} s.` : ' You can try again now.'}</span>;
}
