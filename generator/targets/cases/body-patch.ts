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
  const characters = [...text];
  const [begin, end] = findRun(characters);
  const repeat = characters[begin];
  if (repeat === undefined) return { value: text };
  return {
    repeat,
    times: end - begin,
    before: characters.slice(0, begin).join(''),
    after: characters.slice(end).join(''),
  };
}

/** Where the first long run of one character begins and ends. An expression that looks for it overflows in a text of a million. */
function findRun(characters: readonly string[]): [begin: number, end: number] {
  for (let begin = 0, end = 0; begin < characters.length; begin = end) {
    while (end < characters.length && characters[end] === characters[begin]) end += 1;
    if (end - begin >= shortest) return [begin, end];
  }
  return [characters.length, characters.length];
}
