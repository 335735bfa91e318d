import type { SuiteCase } from '../engine/case.ts';
import { generatedCases } from './derived/cases.ts';
import type { SuiteOptions } from './options.ts';
import { scenarios } from './scenarios/index.ts';

/** Every case there is. Those that only this project's own operations can meet are tried with the profile alone. */
export const allCases: readonly SuiteCase[] = [...scenarios, ...generatedCases];

/** The cases that a run tries. */
export function selectedCases({ only, profile }: Pick<SuiteOptions, 'only' | 'profile'>): SuiteCase[] {
  const offered = allCases.filter(({ needs = [] }) => profile === true || !needs.includes('profile'));
  if (only === undefined) return offered;
  return offered.filter(({ id, clauses }) => [id, ...clauses].some((one) => one.includes(only)));
}

/** Seconds that a run takes at a pace, if the service answers at once: its busiest lane decides. */
export function estimatedSeconds(selected: readonly SuiteCase[], rate: number): number {
  const lanes = new Map<string, number>();
  for (const [lane, requests] of selected.flatMap(({ cost }) => Object.entries(cost))) {
    lanes.set(lane, (lanes.get(lane) ?? 0) + requests);
  }
  return Math.ceil(Math.max(0, ...lanes.values()) / rate);
}
