import type { Script } from './listener.ts';
import type { Environment, PhaseRun } from './phase-run.ts';

/** A stretch of a run: a fresh app, a fresh folder, a service that answers by a script. */
export interface Phase {
  readonly name: string;
  readonly environment: Environment;
  /** How long it takes with a library that does what it should. */
  readonly seconds: number;
  /** Left out: everything is taken. */
  readonly script?: (phaseRun: PhaseRun) => Script;
  readonly run: (phaseRun: PhaseRun) => Promise<void>;
}
