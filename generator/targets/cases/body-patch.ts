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
  const run = findRun(text);
  if (run === undefined) return { value: text };
  const { begin, end, repeat } = run;
  return { repeat, times: (end - begin) / repeat.length, before: text.slice(0, begin), after: text.slice(end) };
}

/** The first long run of one character. An expression that looks for it overflows in a text of a million. */
function findRun(text: string): { begin: number; end: number; repeat: string } | undefined {
  for (let begin = 0, end = 0; begin < text.length; begin = end) {
    const repeat = String.fromCodePoint(text.codePointAt(begin) ?? 0);
    while (text.startsWith(repeat, end)) end += repeat.length;
    if (end - begin >= shortest * repeat.length) return { begin, end, repeat };
  }
  return undefined;
}
