import type { CaseResult } from '../engine/result.ts';

/** Shows the progress of a run. */
export type Progress = (result: CaseResult, done: number, total: number) => void;

/** On a terminal one line that is rewritten; elsewhere a new line after each tenth, for logs. */
export function showProgress(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? onOneLine(stream) : inLines(stream);
}

function onOneLine(stream: NodeJS.WriteStream): Progress {
  let failed = 0;
  return ({ id, state, level }, done, total) => {
    if (state === 'fail' && level === 'required') failed += 1;
    const failures = failed === 0 ? '' : ` · ${failed} failed`;
    const line = `${done} of ${total}${failures} · ${id}`;
    stream.write(`\r\u001B[2K${line.slice(0, Math.max(20, stream.columns - 1))}${done === total ? '\r\u001B[2K' : ''}`);
  };
}

function inLines(stream: NodeJS.WriteStream): Progress {
  let last = 0;
  return (_, done, total) => {
    const tenth = Math.floor((done * 10) / total);
    if (tenth > last) stream.write(`${done} of ${total} cases\n`);
    last = tenth;
  };
}

/** `1 second`, `80 seconds`, `3 minutes`. */
export function formatDuration(seconds: number): string {
  if (seconds === 1) return '1 second';
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.round(seconds / 60)} minutes`;
}
