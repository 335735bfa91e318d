import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { parse } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { UserError } from '@branchline/command-line';

/** A thread of the server could not be started, or has ended. Who asks again has another one started. */
export class ThreadFailure extends UserError {}

/** What a thread does, and who is told of it. */
export interface ThreadUse<Message> {
  /** What it does, as words of a sentence: `that writes`. */
  what: string;
  /** Makes it; throws where the system starts none. */
  make: () => Worker;
  answered: (message: Message) => void;
  /** Called once. Until its first answer a thread counts as one that could not be started. */
  ended: (failure: ThreadFailure) => void;
}

/**
 * Starts a thread.
 *
 * @throws ThreadFailure when the system starts none now; what keeps it from running is told by `ended`
 */
export function startThread<Message>({ what, make, answered, ended }: ThreadUse<Message>): Worker {
  leaveRemovedFolder();
  const thread = makeOrExplain(what, make);
  let hasAnswered = false;
  let hasEnded = false;
  const end = (cause: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    ended(
      hasAnswered
        ? new ThreadFailure(`The thread ${what} has ended: ${cause.message}.`, { cause })
        : notStarted(what, cause),
    );
  };
  thread.on('message', (message: Message) => {
    hasAnswered = true;
    answered(message);
  });
  thread.on('error', (error) => end(toError(error)));
  thread.on('exit', (code) => end(new Error(`its exit code is ${code}`)));
  return thread;
}

/** Resolves when a thread that is asked to end has ended; the process runs until then. */
export async function waitForEnd(thread: Worker): Promise<void> {
  thread.ref();
  await once(thread, 'exit');
}

/**
 * Node asks for the working directory whenever it starts a thread, and there is none once the folder has been removed. No relative
 * path is used by then: `wholePaths` has made them whole.
 */
function leaveRemovedFolder(): void {
  try {
    // Node remembers what `process.cwd` was.
    realpathSync.native('.');
  } catch (error) {
    if (toError(error).code === 'ENOENT') process.chdir(parse(process.execPath).root);
  }
}

function makeOrExplain(what: string, make: () => Worker): Worker {
  try {
    return make();
  } catch (error) {
    throw notStarted(what, toError(error));
  }
}

function notStarted(what: string, cause: NodeJS.ErrnoException): ThreadFailure {
  return new ThreadFailure(`The thread ${what} can't be started: ${cause.message}. ${advise(cause)}`, { cause });
}

function advise({ code, message }: NodeJS.ErrnoException): string {
  const reason = code === 'ERR_WORKER_INIT_FAILED' ? message : '';
  if (/E[MN]FILE$/.test(reason)) return 'Raise the limit of open files (ulimit -n), and start again.';
  if (reason.endsWith('EAGAIN')) {
    return 'Raise the limit of threads (ulimit -u, TasksMax= of systemd, the pids limit of a container), or end others that count towards it.';
  }
  return 'Mend that; where the files of this program were replaced, start it again.';
}

function toError(error: unknown): NodeJS.ErrnoException {
  return error instanceof Error ? error : new Error(String(error));
}
