import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import { followEvents, type StreamState } from '../client/event-following.ts';
import { Problem, succeed } from '../client/problem.ts';
import { sessionEnded, sessionsBegun } from '../client/sessions.ts';
import { useVisibility } from '../client/visibility.ts';
import { type LiveEvent, type LiveFilters, liveQuery } from './live-filters.ts';

/** A row of the page: a batch, or a gap. */
export interface LiveRow {
  key: string;
  event: LiveEvent;
}

export interface LiveBatches {
  /** Newest first. */
  rows: readonly LiveRow[];
  state: StreamState;
  problem: Problem | undefined;
  isPaused: boolean;
  /** The number of rows received during the pause. */
  waiting: number;
  setPaused: (isPaused: boolean) => void;
}

const MOST_ROWS = 200;

/** Batches that arrive within this time, in milliseconds, are shown together. */
const GATHERED_MS = 100;

/** Follows the batches of a workspace while the page is visible. */
export function useLiveBatches(workspaceId: string, filters: LiveFilters): LiveBatches {
  const [rows, setRows] = useState<readonly LiveRow[]>([]);
  const [state, setState] = useState<StreamState>('connecting');
  const [problem, setProblem] = useState<Problem>();
  const [paused, setPaused] = useState<{ rows: readonly LiveRow[]; waiting: number }>();
  const lastEventId = useRef('');
  const isVisible = useVisibility();
  const begun = sessionsBegun.value;
  const query = liveQuery(filters);

  useEffect(() => {
    if (!isVisible) return;
    const stop = new AbortController();
    const gathering = gather((come) => {
      setRows((before) => [...come, ...before].slice(0, MOST_ROWS));
      setPaused((before) => before && { ...before, waiting: before.waiting + come.length });
    });
    followEvents(
      {
        lastEventId: lastEventId.current,
        open: async (id, signal) => {
          const headers = id === '' ? {} : { 'Last-Event-ID': id };
          return (await succeed(api.watchBatches({ params: { workspaceId }, query, headers }, { signal }))).body;
        },
        tell: gathering.add,
        changed: (now, why) => {
          if (stop.signal.aborted) return;
          setState(now);
          setProblem(why);
        },
        reached: (id) => (lastEventId.current = id),
      },
      stop.signal,
    ).catch((error: unknown) => {
      if (stop.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
      if (error.status === 401) sessionEnded.value = true;
    });
    return () => {
      gathering.showAll();
      stop.abort();
    };
  }, [workspaceId, JSON.stringify(query), isVisible, begun]);

  return {
    rows: paused?.rows ?? rows,
    state,
    problem,
    isPaused: paused !== undefined,
    waiting: paused?.waiting ?? 0,
    setPaused: (isPaused) => setPaused(isPaused ? { rows, waiting: 0 } : undefined),
  };
}

let rowsSoFar = 0;

/** Collects batches that arrive together, newest first, so that the page is not rendered for each. */
function gather(show: (come: readonly LiveRow[]) => void): { add: (event: LiveEvent) => void; showAll: () => void } {
  let come: LiveRow[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const showAll = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (come.length > 0) show(come);
    come = [];
  };
  return {
    add: (event) => {
      rowsSoFar += 1;
      come.unshift({ key: String(rowsSoFar), event });
      come.length = Math.min(come.length, MOST_ROWS);
      timer ??= setTimeout(showAll, GATHERED_MS);
    },
    showAll,
  };
}
