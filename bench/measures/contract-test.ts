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
    return report(contracts, tried, await each(subjects, theirs));
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

/** What a tool said of a server. */
interface Judged extends Subject, Trial {
  /** Whether it said something that it does not say of the right server. */
  readonly caught: boolean;
}

/** The right server of a contract comes before those with faults. */
async function each(subjects: readonly Subject[], tool: Tool): Promise<Judged[]> {
  const judged: Judged[] = [];
  let ofRight: ReadonlySet<string> = new Set();
  for (const subject of subjects) {
    const { contract, planted } = subject;
    const server = await startServer(contract.contract, planted);
    const trial = await tool(contract, server);
    server.close();
    if (planted === undefined) ofRight = trial.findings;
    const known = planted === undefined ? new Set() : ofRight;
    judged.push({ ...subject, ...trial, caught: !trial.findings.isSubsetOf(known) });
  }
  return judged;
}

function report(contracts: readonly DocumentedContract[], ours: readonly Judged[], theirs: readonly Judged[]): Finding {
  const share = (judged: readonly Judged[]): string =>
    `${judged.filter(({ caught }) => caught).length} of ${judged.length}`;
  const row = (figure: string, of: (judged: readonly Judged[]) => string): string[] => [figure, of(ours), of(theirs)];
  const right = (judged: readonly Judged[]): Judged[] => judged.filter(({ planted }) => planted === undefined);
  const faulty = (judged: readonly Judged[]): Judged[] => judged.filter(({ planted }) => planted !== undefined);
  return {
    title: 'What the contract test finds',
    about:
      `Servers in plain Node of ${contracts.length} specs of @readme/oas-examples, each with one of ${faults.length} faults in one ` +
      'operation that it fits (`bench/contract-test/faults.ts`). The specs document the usual errors of each operation too, so that a tool ' +
      'has nothing to say of the right server. Tried by `branchline contract test` as it is, and by schemathesis 4.32.5 with all phases, all ' +
      'checks and 10 examples, both with the right credentials. What nothing creates is there from the start, under the example of its path ' +
      'parameter. A fault is caught where the tool finds a failure that it does not find in the right server; any failure of that is a false ' +
      'alarm. Goal: 1.3 times what schemathesis catches, and no false alarm.',
    tables: [
      {
        columns: ['Figure', 'Contract test', 'schemathesis'],
        rows: [
          row('Faults caught', (judged) => share(faulty(judged))),
          row('False alarms on the right servers', (judged) => share(right(judged))),
          row(
            'Time, median of the right servers',
            (judged) => `${decimals(median(right(judged).map((one) => one.milliseconds)) / 1_000)} s`,
          ),
          row('Requests, the same', (judged) => whole(median(right(judged).map((one) => one.requests)))),
        ],
      },
      {
        columns: ['Faults caught, by contract', 'Contract test', 'schemathesis'],
        rows: contracts.map((contract) =>
          row(contract.name, (judged) => share(faulty(judged).filter((one) => one.contract === contract))),
        ),
      },
    ],
  };
}
