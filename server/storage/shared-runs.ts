import type { Storage } from './storage.ts';

interface Run<Result> {
  result: Promise<Result>;
  /** Begins once this one has ended. */
  next?: Promise<Result>;
}

/**
 * Work of which one run at a time is enough for a workspace: done twice at once, the second would hold a connection only to
 * wait for the rows of the first. Whoever asks while it runs waits in memory for one further run, which all who ask until then
 * share. So each result tells of all that was committed before it was asked for.
 */
export class SharedRuns<Result> {
  readonly #runs = new WeakMap<Storage, Map<string, Run<Result>>>();

  /** Rejects for all who share a run that fails. */
  run(storage: Storage, workspaceId: string, work: () => Promise<Result>): Promise<Result> {
    const runs = this.#runs.get(storage) ?? new Map<string, Run<Result>>();
    this.#runs.set(storage, runs);
    const running = runs.get(workspaceId);
    if (running === undefined) return begin(runs, workspaceId, work);
    const begunNext = (): Promise<Result> => begin(runs, workspaceId, work);
    running.next ??= running.result.then(begunNext, begunNext);
    return running.next;
  }
}

function begin<Result>(
  runs: Map<string, Run<Result>>,
  workspaceId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // The next one replaces the entry before anybody else can ask.
  const result = work().finally(() => runs.delete(workspaceId));
  runs.set(workspaceId, { result });
  return result;
}
