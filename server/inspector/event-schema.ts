import type { components } from '../generated/types.ts';

/** One tracked event, as a client reports it with its schema. */
export type EventReport = components['schemas']['EventReport'] & { schema: EventSchema };

/** The properties of an event, or of an object in it. */
export type EventSchema = components['schemas']['EventSchema'];

/** A property of an event or of an object in it. */
export type PropertySchema = components['schemas']['PropertySchema'];

/** One of the types of a list's elements. */
export type ElementSchema = components['schemas']['ElementSchema'];

/** The path segment for the elements of a list. */
export const ELEMENTS = '[]';

/**
 * Escapes a property's name for a path: a name that looks like {@link ELEMENTS}, with or without leading backslashes,
 * gets one more backslash, so that every path identifies one property.
 */
export function nameInPath(name: string): string {
  return /^\\*\[\]$/.test(name) ? `\\${name}` : name;
}
