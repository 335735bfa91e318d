/** The limited kinds of new data. */
export interface Novelty {
  appVersions: number;
  eventNames: number;
  shapes: number;
  /** Types of properties, each counted once per source and environment. */
  properties: number;
  /** The approximate size of its rows in the database. */
  bytes: number;
}

/** The maximum of each measure in a workspace. */
export type Budget = Novelty;

export type Measure = keyof Novelty;

export const MEASURES = ['appVersions', 'eventNames', 'shapes', 'properties', 'bytes'] as const satisfies Measure[];

/** The default budget of a workspace. */
export const DEFAULT_BUDGET: Budget = {
  appVersions: 10_000,
  eventNames: 10_000,
  shapes: 100_000,
  properties: 250_000,
  bytes: 1024 ** 3,
};

/** A source may use this share of its workspace's budget, and an API key of its source's: a tenth is kept for the others. */
const SHARE = 0.9;

/** The holder of a budget: a workspace, a source of it, or an API key. */
export type HolderKind = 'workspace' | 'source' | 'key';

/** Returns the part of a workspace's budget for a kind of holder: of a small one at least one. */
export function shareBudget(kind: HolderKind, budget: Budget): Budget {
  const share = { workspace: 1, source: SHARE, key: SHARE ** 2 }[kind];
  return combine(budget, NOTHING, (whole) => Math.max(Math.min(1, whole), Math.floor(whole * share)));
}

export const NOTHING: Novelty = { appVersions: 0, eventNames: 0, shapes: 0, properties: 0, bytes: 0 };

export function addNovelty(a: Novelty, b: Novelty): Novelty {
  return combine(a, b, (one, other) => one + other);
}

function combine(a: Novelty, b: Novelty, combined: (a: number, b: number) => number): Novelty {
  return {
    appVersions: combined(a.appVersions, b.appVersions),
    eventNames: combined(a.eventNames, b.eventNames),
    shapes: combined(a.shapes, b.shapes),
    properties: combined(a.properties, b.properties),
    bytes: combined(a.bytes, b.bytes),
  };
}

/** Returns the first measure in which the usage together with the new data would exceed the budget. */
export function findExceeded(used: Novelty, comes: Novelty, budget: Budget): Measure | undefined {
  return MEASURES.find((measure) => comes[measure] > 0 && used[measure] + comes[measure] > budget[measure]);
}

const WORDS: Record<Measure, string> = {
  appVersions: 'app versions',
  eventNames: 'event names',
  shapes: 'event shapes',
  properties: 'property types',
  bytes: 'bytes of schemas',
};

const HOLDERS: Record<HolderKind, string> = {
  workspace: 'this workspace',
  source: 'this source',
  key: 'this API key',
};

/** Formats the reason for rejecting an event that exceeds a budget. */
export function budgetReason(kind: HolderKind, measure: Measure, budget: Budget): string {
  const bound = shareBudget(kind, budget)[measure].toLocaleString('en');
  return (
    `The event brings something new, and ${HOLDERS[kind]} has its most of ${bound} ${WORDS[measure]}. What is known still counts. ` +
    'Look for versions, names of events or properties that are made at run time, such as ids, and give them fixed names.'
  );
}
