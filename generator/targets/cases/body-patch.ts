import { isDeepStrictEqual } from 'node:util';
import { type BodyPatch, type Change, type Json, toPointer } from '@branchline/contract';
import type { ConfirmedMutation } from './confirmed-mutations.ts';

const shortest = 24;

/** Says a changed body as its base and the change, long strings and arrays by their repetition. */
export function makeBodyPatch(base: string, change: ConfirmedMutation['change']): BodyPatch {
  return { base, at: toPointer(change.at), ...compact(change.put) };
}

/** The shortest way to write a value down. */
export function compact(put: Json | undefined): Change {
  if (put === undefined) return { absent: true };
  if (typeof put === 'string') return compactText(put);
  if (Array.isArray(put) && put.length > 3) {
    const [first = null] = put;
    if (put.every((item) => isDeepStrictEqual(item, first))) return { repeatItem: first, times: put.length };
  }
  return { value: put };
}

function compactText(text: string): Change {
  const run = /(.)\1{23,}/su.exec(text) ?? undefined;
  const repeat = run?.[1];
  if (run === undefined || repeat === undefined || run[0].length < shortest) return { value: text };
  return {
    repeat,
    times: run[0].length / repeat.length,
    before: text.slice(0, run.index),
    after: text.slice(run.index + run[0].length),
  };
}
