import type { Json, Path } from '@branchline/contract';
import type { Fault } from './validator.ts';
import type { SchemaLocation } from './schema-location.ts';

/**
 * One thing to try at one place: it either stays within a rule or breaks it. The candidates are tried in order;
 * the first that the validator confirms becomes the case, and without one there is none.
 */
export interface Mutation {
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

/** Reads the rules of one kind off a location. */
export type MutationRule = (location: SchemaLocation) => Mutation[];

/** A mutation at the location's own place that breaks one of its keywords. */
export function breakKeyword(
  location: SchemaLocation,
  keyword: string,
  mutation: Omit<Mutation, 'at' | 'breaks'>,
): Mutation {
  return { ...mutation, at: location.at, breaks: { at: location.at, keyword } };
}

/** A mutation at the location's own place that stays valid. */
export function keepValid(location: SchemaLocation, mutation: Omit<Mutation, 'at' | 'breaks'>): Mutation {
  return { ...mutation, at: location.at, breaks: undefined };
}
