import { suiteTool } from '../conformance/suite.ts';
import { schemathesisTool } from '../conformance/schemathesis.ts';
import type { Tool, Trial } from '../conformance/trial.ts';
import { faultsAbout } from '../../conformance/selftest/faults/index.ts';
import type { Difference } from '../../conformance/selftest/fault.ts';
import { SHORT_TIMEOUT_MS } from '../../conformance/selftest/try-suite.ts';
import { listen } from '../../conformance/selftest/service/listen.ts';
import { variants } from '../../conformance/selftest/variants/index.ts';
import type { Finding, Measure, MeasureOptions } from '../measure.ts';
import { decimals, whole } from '../numbers.ts';
import { median } from '../statistics.ts';

/** Whether something is caught does not depend on what else runs; time and requests are measured one run at a time. */
const AT_ONCE = 2;

/** As the suite has it; for a service that never answers it is shorter. */
const TIMEOUT_MS = 10_000;

/** Trials of one tool, in the order of the services. */
interface Tried {
  faults: Record<string, Trial[]>;
  variants: Trial[];
  correct: Trial[];
}

export const conformance: Measure = {
  name: 'conformance',
  describe: 'which faults of a service the conformance suite catches, and its false alarms, beside schemathesis',
  async run(options) {
    const ours = await triedBy(suiteTool(), options);
    const theirs = await triedBy(await schemathesisTool(), options);
    return found(ours, theirs);
  },
};

async function triedBy(tool: Tool, options: MeasureOptions): Promise<Tried> {
  const some = (all: readonly Difference[]): readonly Difference[] =>
    options.quick ? all.filter((_, index) => index % 10 === 0) : all;
  const faults: Tried['faults'] = {};
  for (const [about, group] of Object.entries(faultsAbout)) faults[about] = await each(some(group), tool, AT_ONCE);
  const correct = Array.from({ length: options.rounds }, () => ({ name: 'correct', does: '', change: () => ({}) }));
  return { faults, variants: await each(some(variants), tool, AT_ONCE), correct: await each(correct, tool, 1) };
}

async function each(differences: readonly Difference[], tool: Tool, atOnce: number): Promise<Trial[]> {
  const trials: Trial[] = [];
  const left = differences.entries();
  const work = async (): Promise<void> => {
    for (const [index, difference] of left) {
      const service = await listen({ change: difference.change() });
      const neverEnds = 'neverEnds' in difference;
      trials[index] = await tool(service, neverEnds ? SHORT_TIMEOUT_MS : TIMEOUT_MS);
      await service.close();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return trials;
}

function found(ours: Tried, theirs: Tried): Finding {
  const row = (figure: string, of: (tried: Tried) => string): string[] => [figure, of(ours), of(theirs)];
  const seconds = ({ correct }: Tried): string =>
    `${decimals(median(correct.map((trial) => trial.milliseconds)) / 1_000)} s`;
  const requests = ({ correct }: Tried): string => whole(median(correct.map((trial) => trial.requests)));
  return {
    title: 'What the conformance suite finds',
    about:
      'An independent service in plain Node (`conformance/selftest/`) with one fault at a time, and with one lawful choice at a time. Each is ' +
      'tried by the conformance suite, unpaced, with the two accounts of each of two workspaces and a hook that seeds states, and by schemathesis ' +
      '4.32.5 with all phases and all checks and a contract cut to what the documents say of the two operations. A fault is caught where the ' +
      'tool says that the service fails; a false alarm is the same for a lawful variant. Time and requests are those of a run on the correct ' +
      'service. Goal: all caught, no false alarm, under 20 s.',
    tables: [
      {
        columns: ['Figure', 'Conformance suite', 'schemathesis'],
        rows: [
          row('Faults caught', (tried) => share(Object.values(tried.faults).flat())),
          row('False alarms on lawful variants', (tried) => share(tried.variants)),
          row('Time', seconds),
          row('Requests', requests),
        ],
      },
      {
        columns: ['Faults caught, by what they are about', 'Conformance suite', 'schemathesis'],
        rows: Object.keys(ours.faults).map((about) => row(about, (tried) => share(tried.faults[about] ?? []))),
      },
    ],
  };
}

function share(trials: readonly Trial[]): string {
  return `${trials.filter(({ caught }) => caught).length} of ${trials.length}`;
}
