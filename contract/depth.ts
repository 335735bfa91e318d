import { isObject } from './pointers.ts';

/** More than any real document has; what reads one level after the other stays far from the end of the stack with it. */
export const MOST_LEVELS = 250;

export const TOO_DEEP =
  `It nests deeper than ${MOST_LEVELS} levels, which no contract needs; ` +
  'write its inner parts as components, and refer to them by "$ref".';

/** Whether lists and objects stand in each other deeper than is read. Nothing in the value may be shared. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isObject);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MOST_LEVELS) return true;
    level = level.flatMap((one) => Object.values(one)).filter(isObject);
  }
  return false;
}

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.startsWith('Maximum call stack');
}
