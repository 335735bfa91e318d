import { isSelected } from '../engine/selection.ts';
import type { ServiceCase } from './case.ts';
import { derivedCases } from './derived-cases.ts';
import type { SuiteOptions } from './options.ts';
import { scenarios } from './scenarios/index.ts';

/** Every case there is. Those that only this project's own operations can meet are tried with the profile alone. */
export const allCases: readonly ServiceCase[] = [...scenarios, ...derivedCases];

/** The cases that a run tries. */
export function selectCases({ selection = {}, profile }: Pick<SuiteOptions, 'selection' | 'profile'>): ServiceCase[] {
  const offered = allCases.filter(({ needs = [] }) => profile === true || !needs.includes('profile'));
  return offered.filter((one) => isSelected(one, selection));
}

/** Seconds that a run takes at a pace, if the service answers at once: its busiest lane decides. */
export function estimateSeconds(selected: readonly ServiceCase[], rate: number): number {
  const lanes = new Map<string, number>();
  for (const [lane, requests] of selected.flatMap(({ cost }) => Object.entries(cost))) {
    lanes.set(lane, (lanes.get(lane) ?? 0) + requests);
  }
  return Math.ceil(Math.max(0, ...lanes.values()) / rate);
}
