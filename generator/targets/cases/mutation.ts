import type { Json, Path } from '@branchline/contract';
import type { Fault } from './validator.ts';
import type { Site } from './schema-location.ts';

/**
 * One thing to try at one place: it either stays within a rule or breaks it. The candidates are tried in order;
 * the first that the oracle confirms becomes the case, and without one there is none.
 */
export interface Probe {
  /** Last part of the case's id: `minLength-below`. */
  rule: string;
  /** Completes "a request whose body /name …": `has 0 characters, fewer than minLength 1`. */
  says: string;
  /** Where the candidate is put. */
  at: Path;
  /** What it breaks; `undefined` where the value stays valid. */
  breaks: Fault | undefined;
  /** What is put there; `undefined` stands for nothing. */
  candidates: readonly (Json | undefined)[];
}

/** Reads the rules of one kind off a site. */
export type ProbesOf = (site: Site) => Probe[];

/** A probe at the site's own place that breaks one of its keywords. */
export function breaking(site: Site, keyword: string, probe: Omit<Probe, 'at' | 'breaks'>): Probe {
  return { ...probe, at: site.at, breaks: { at: site.at, keyword } };
}

/** A probe at the site's own place that stays valid. */
export function keeping(site: Site, probe: Omit<Probe, 'at' | 'breaks'>): Probe {
  return { ...probe, at: site.at, breaks: undefined };
}
