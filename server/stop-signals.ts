import { exitNow } from '@branchline/command-line';

/** What ends the server: a process manager sends the first, Ctrl-C the second, a terminal that closes the third. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export type StopSignal = (typeof STOP_SIGNALS)[number];

/**
 * Ends the process on a signal, as there is nothing to drain yet. Without a listener the first process of a container ignores
 * them, for as long as a database that stands still keeps it starting.
 *
 * @returns ends that, once there are other listeners
 */
export function endOnStopSignals(): () => void {
  const end = (_signal: NodeJS.Signals, number: number) => exitNow(128 + number);
  for (const signal of STOP_SIGNALS) process.once(signal, end);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, end);
  };
}

/** Lets the signal end the process, so that its parent learns which one did. It does not end the first process of a container. */
function endAtOnce(signal: NodeJS.Signals, number: number): never {
  process.kill(process.pid, signal);
  return exitNow(128 + number);
}

/**
 * Resolves with the first signal. A second one ends the process at once, but for SIGHUP: the system sends that when a terminal
 * closes, and the shell in it sends it once more.
 */
export function waitForStopSignal(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>();
  const onFirst = (signal: NodeJS.Signals) => {
    process.off('SIGTERM', onFirst).off('SIGINT', onFirst).once('SIGTERM', endAtOnce).once('SIGINT', endAtOnce);
    for (const known of STOP_SIGNALS) if (known === signal) resolve(known);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onFirst);
  return promise;
}
