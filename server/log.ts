import { writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';
import { LogWriter } from './log-writer.ts';

const STANDARD_ERROR = 2;

/** The process's log. */
export interface Log {
  logger: Logger;
  /** Writes the waiting lines, for at most a second; does not wait for a log that can't be written. */
  end: () => Promise<void>;
}

/**
 * Logs to standard error.
 *
 * @param onDrop called for each line dropped because the log can't be written
 */
export function openLog(level: string, onDrop: () => void): Log {
  // Accessing this stream makes Node set a pipe or socket to non-blocking, so that no reader can hold up the process.
  void process.stderr;
  const writer = new LogWriter({
    write: (bytes) => writeSync(STANDARD_ERROR, bytes),
    onDrop,
    onRecovery: (dropped) => logger.warn({ dropped }, 'log lines were dropped while the log could not be written'),
  });
  const logger = pino({ level, serializers: { err: describeError } }, writer);
  process.once('exit', () => writer.flush());
  return { logger, end: () => writer.end() };
}
