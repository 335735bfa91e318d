import { foldCase } from '@branchline/server/browser';
import { useEffect, useId, useState } from 'preact/hooks';
import { Problem } from '../client/problem.ts';
import { go } from '../navigation/place.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { findBranches, findEvents, findPages, type Target } from './targets.ts';

/** The pause in typing, in milliseconds, before branches and events are searched. */
const PAUSE_MS = 150;

interface SearchDialogProps {
  workspaceId: string;
  close: () => void;
}

/** Finds a page, branch or event by part of its name: the arrow keys choose, Enter opens. */
export function SearchDialog({ workspaceId, close }: SearchDialogProps) {
  const id = useId();
  const [text, setText] = useState('');
  const { found, problem } = useFound(workspaceId, text);
  const [chosen, setChosen] = useState(0);
  // Results for earlier input must not appear as results for the current one.
  const wanted = foldCase(text.trim());
  const targets = [...findPages(workspaceId, text), ...found.filter(({ name }) => foldCase(name).includes(wanted))];
  const current = Math.min(chosen, targets.length - 1);
  const goTo = (target: Target | undefined): void => {
    if (target === undefined) return;
    close();
    go(target.href);
  };
  const move = (step: number): void => setChosen((current + step + targets.length) % Math.max(targets.length, 1));
  return (
    <Dialog title="Go to" close={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Part of the name of a page, branch or event"
        aria-expanded={targets.length > 0}
        aria-controls={`${id}-list`}
        {...(targets.length > 0 && { 'aria-activedescendant': `${id}-${current}` })}
        autocomplete="off"
        placeholder="Page, branch or event"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          const { key } = event;
          if (key === 'Enter') goTo(targets[current]);
          else if (key === 'ArrowDown') move(1);
          else if (key === 'ArrowUp') move(-1);
          else return;
          event.preventDefault();
        }}
      />
      <ProblemNotice problem={problem} />
      <ul id={`${id}-list`} role="listbox" aria-label="Found" class="targets">
        {targets.map((target, index) => (
          <li
            key={target.href}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => goTo(target)}
          >
            <bdi title={target.name}>{target.name}</bdi> <span class="quiet">{target.kind}</span>
          </li>
        ))}
      </ul>
      <p role="status" class="quiet">
        {targets.length === 0 && 'No page, branch or event matches.'}
      </p>
    </Dialog>
  );
}

function useFound(workspaceId: string, text: string): { found: Target[]; problem: Problem | undefined } {
  const [found, setFound] = useState<Target[]>([]);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      Promise.all([findBranches(workspaceId, text, stop.signal), findEvents(workspaceId, text, stop.signal)]).then(
        (lists) => {
          setFound(lists.flat());
          setProblem(undefined);
        },
        (error: unknown) => {
          if (error instanceof Problem) setProblem(error);
          else if (!stop.signal.aborted) throw error;
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return { found, problem };
}
