import type { Operation } from '../../contract/index.ts';
import { documentedContract, type DocumentedContract, SPECS } from '../contract-test/contracts.ts';
import { type Fault, faults } from '../contract-test/faults.ts';
import { startServer } from '../contract-test/server.ts';
import { contractTest, schemathesisTool, type Tool, type Trial } from '../contract-test/tools.ts';
import type { Finding, Measure, MeasureOptions } from '../measure.ts';
import { decimals, whole } from '../numbers.ts';
import { median } from '../statistics.ts';

/** A fault in one operation of one contract; without one the server is right. */
interface Subject {
  readonly contract: DocumentedContract;
  readonly planted?: { readonly fault: Fault; readonly operation: Operation };
}

export const contractTests: Measure = {
  name: 'contract-test',
  describe:
    'which planted faults `branchline contract test` finds in servers of contracts of others, beside schemathesis',
  async run(options) {
    const contracts = await Promise.all(SPECS.map(documentedContract));
    const theirs = await schemathesisTool();
    const subjects = contracts.flatMap((contract) => listSubjects(contract, options));
    const tried = await each(subjects, contractTest);
    return report(contracts, subjects, tried, await each(subjects, theirs));
  },
};

/** The right server, and each fault in one operation that it fits, another one from fault to fault. */
export function listSubjects(contract: DocumentedContract, { quick }: Pick<MeasureOptions, 'quick'>): Subject[] {
  const planted = faults.flatMap((fault, index) => {
    const fitting = contract.contract.operations.filter((one) => fault.fits(one, contract.contract));
    const operation = fitting[index % Math.max(1, fitting.length)];
    return operation === undefined || (quick && index % 10 !== 0) ? [] : [{ contract, planted: { fault, operation } }];
  });
  return [{ contract }, ...planted];
}

async function each(subjects: readonly Subject[], tool: Tool): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const { contract, planted } of subjects) {
    const server = await startServer(contract.contract, planted);
    trials.push(await tool(contract, server));
    server.close();
  }
  return trials;
}

function report(
  contracts: readonly DocumentedContract[],
  subjects: readonly Subject[],
  ours: readonly Trial[],
  theirs: readonly Trial[],
): Finding {
  const choose = (trials: readonly Trial[], test: (subject: Subject) => boolean): Trial[] =>
    trials.filter((_, index) => subjects[index] !== undefined && test(subjects[index]));
  const share = (trials: readonly Trial[]): string =>
    `${trials.filter(({ caught }) => caught).length} of ${trials.length}`;
  const row = (figure: string, of: (trials: readonly Trial[]) => string): string[] => [figure, of(ours), of(theirs)];
  const right = (trials: readonly Trial[]): Trial[] => choose(trials, ({ planted }) => planted === undefined);
  return {
    title: 'What the contract test finds',
    about:
      `Servers in plain Node of ${contracts.length} specs of @readme/oas-examples, each with one of ${faults.length} faults in one ` +
      'operation that it fits (`bench/contract-test/faults.ts`). The specs document the usual errors of each operation too, so that a tool ' +
      'has nothing to say of the right server. Tried by `branchline contract test` as it is, and by schemathesis 4.32.5 with all phases, all ' +
      'checks and 10 examples, both with the right credentials. A fault is caught where the tool says that the server fails; a false alarm is ' +
      'the same for the right server. Goal: 1.3 times what schemathesis catches, and no false alarm.',
    tables: [
      {
        columns: ['Figure', 'Contract test', 'schemathesis'],
        rows: [
          row('Faults caught', (trials) => share(choose(trials, ({ planted }) => planted !== undefined))),
          row('False alarms on the right servers', (trials) => share(right(trials))),
          row(
            'Time, median of the right servers',
            (trials) => `${decimals(median(right(trials).map((one) => one.milliseconds)) / 1_000)} s`,
          ),
          row('Requests, the same', (trials) => whole(median(right(trials).map((one) => one.requests)))),
        ],
      },
      {
        columns: ['Faults caught, by contract', 'Contract test', 'schemathesis'],
        rows: contracts.map((contract) =>
          row(contract.name, (trials) =>
            share(choose(trials, (subject) => subject.contract === contract && subject.planted !== undefined)),
          ),
        ),
      },
    ],
  };
}
