import { describeAnswers } from '../load/answers.ts';
import type { Fared } from '../load/steady.ts';
import type { Table } from '../measure.ts';
import { decimals, whole } from '../numbers.ts';
import type { Outcome, Scenario } from './scenario.ts';

/** What came of a scenario on an installation. */
export interface Trial {
  /** `SQLite, present` */
  where: string;
  outcome: Outcome;
}

/** How the others fared, and what the attack was. */
export function tablesOf(scenario: Scenario, trials: readonly Trial[]): Table[] {
  return [othersTable(scenario, trials), figuresTable(scenario, trials)];
}

function othersTable({ title, targets = {} }: Scenario, trials: readonly Trial[]): Table {
  const columns = [`${title}: what others feel`, 'Request', 'p50 ms', 'p99 ms', 'max ms', 'Served', 'Other answers'];
  const rows = trials.flatMap(({ where, outcome }) =>
    outcome.others.map((fared) => [where, ...cells(fared), judge(fared, targets[fared.name])]),
  );
  return Object.keys(targets).length > 0
    ? { columns: [...columns, 'Target for p99'], rows }
    : { columns, rows: rows.map((row) => row.slice(0, -1)) };
}

function cells({ name, p50, p99, max, sent, served, others }: Fared): string[] {
  const share = `${whole(served)} of ${whole(sent)} (${decimals((served / sent) * 100, 1)} %)`;
  return [name, ...[p50, p99, max].map(milliseconds), share, describeAnswers(others)];
}

function milliseconds(value: number): string {
  return value < 100 ? decimals(value, 1) : whole(value);
}

function judge({ p99 }: Fared, target: number | undefined): string {
  return target === undefined ? '' : `< ${target} ms: ${p99 < target ? 'met' : 'missed'}`;
}

function figuresTable({ title }: Scenario, trials: readonly Trial[]): Table {
  const names = [...new Set(trials.flatMap(({ outcome }) => Object.keys(outcome.figures)))];
  return {
    columns: [`${title}: its cost`, ...names],
    rows: trials.map(({ where, outcome }) => [where, ...names.map((name) => outcome.figures[name] ?? '')]),
  };
}
