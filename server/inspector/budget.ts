/** What is new, by the measures that are bounded. */
export interface Novelty {
  appVersions: number;
  eventNames: number;
  shapes: number;
  /** Types of properties, each counted once for a source and environment. */
  properties: number;
  /** What its rows take in the database, roughly. */
  bytes: number;
}

/** How much that is new a workspace may have of each measure. */
export type Budget = Novelty;

export type Measure = keyof Novelty;

export const MEASURES = ['appVersions', 'eventNames', 'shapes', 'properties', 'bytes'] as const satisfies Measure[];

/** What a workspace may have unless the server is set otherwise. */
export const DEFAULT_BUDGET: Budget = {
  appVersions: 10_000,
  eventNames: 10_000,
  shapes: 100_000,
  properties: 250_000,
  bytes: 1024 ** 3,
};

/** Of a budget a source may take this much, and an API key as much of its source's: a tenth is kept for the others. */
const SHARE = 0.9;

/** Who has a budget: a workspace as a whole, a source of it, and an API key. */
export type HolderKind = 'workspace' | 'source' | 'key';

/** What one kind of holder may have of a workspace's budget. */
export function shareBudget(kind: HolderKind, budget: Budget): Budget {
  const share = { workspace: 1, source: SHARE, key: SHARE ** 2 }[kind];
  return combine(budget, NOTHING, (whole) => Math.floor(whole * share));
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

/** The first measure by which what is used and what comes new would be past the budget. */
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

/** What a client is told whose event brings more that is new than there is room for. */
export function budgetReason(kind: HolderKind, measure: Measure, budget: Budget): string {
  const bound = shareBudget(kind, budget)[measure].toLocaleString('en');
  return (
    `The event brings something new, and ${HOLDERS[kind]} has its most of ${bound} ${WORDS[measure]}. What is known still counts. ` +
    'Look for versions, names of events or properties that are made at run time, such as ids, and give them fixed names.'
  );
}
