import type { Report } from '../../engine/result.ts';
import { type Answer, TAKEN } from './answer.ts';
import { REAL_CLOCK } from './clock.ts';
import { findHeader } from '../../engine/http/client.ts';
import type { Selection } from '../../engine/selection.ts';
import type { LibraryCase } from './cases/case.ts';
import { listen } from './listener.ts';
import { Recording } from './recording.ts';
import { toReport } from './report.ts';

export interface ByHandOptions {
  readonly selected: readonly LibraryCase[];
  /** What chose them. Left out: they are all that there are. */
  readonly selection?: Selection | undefined;
  readonly profile: boolean;
  /** Answers to the first requests; after them everything is taken. */
  readonly plan: readonly Answer[];
  /** Values that the app is given, and that must not show up. */
  readonly canaries: readonly string[];
  /** Defaults to a free one. */
  readonly port?: number | undefined;
  readonly onListening: (endpoint: string) => void;
  /** Called for each request. */
  readonly onRequest: (text: string) => void;
  /** Called when the recording is full, which ends the run. */
  readonly onFull: () => void;
  /** Ends the run. */
  readonly until: Promise<void>;
}

/**
 * Plays the service for an app that somebody drives by hand, and judges what can be judged without knowing what it does.
 *
 * @throws CouldNotRun where the port is taken.
 */
export async function runByHand(options: ByHandOptions): Promise<Report> {
  const startedAt = new Date();
  const recording = new Recording(REAL_CLOCK, 'by hand');
  recording.canaries.push(...options.canaries);
  const listener = await listen(recording, {
    script: ({ batch }, index) => {
      const answer = options.plan[index] ?? TAKEN;
      const events = batch === undefined ? 'no batch' : `${batch.events.length} events`;
      options.onRequest(`Request ${index + 1}: ${events}; answer: ${describeAnswer(answer)}.`);
      return answer;
    },
    clock: REAL_CLOCK,
    port: options.port,
  });
  options.onListening(listener.endpoint);
  await Promise.race([options.until, recording.full.then(options.onFull)]);
  recording.isInterrupted = true;
  await listener.close();
  const keys = new Set(recording.requests.flatMap((captured) => findHeader(captured, 'api-key') ?? []));
  return toReport(options.selected, {
    target: 'a library driven by hand',
    startedAt,
    profile: options.profile,
    selection: options.selection,
    recordings: [recording],
    keys: [...keys],
  });
}

function describeAnswer(answer: Answer): string {
  if (answer.kind === 'refused' || answer.kind === 'redirected') return String(answer.status);
  if (answer.kind === 'reset') return 'the connection is reset';
  return answer.truncated === true ? 'half a receipt' : 'a receipt';
}
