import type { components } from '../generated/types.ts';

/** One tracked event, as a client reports it. */
export type EventReport = components['schemas']['EventReport'];

/** The properties of an event, or of an object in it. */
export type EventSchema = components['schemas']['EventSchema'];

/** A property of an event or of an object in it. */
export type PropertySchema = components['schemas']['PropertySchema'];

/** One of the types of a list's elements. */
export type ElementSchema = components['schemas']['ElementSchema'];

/** Stands in a path for the elements of a list. */
export const ELEMENTS = '[]';

/**
 * A property's name as it stands in a path: itself, but for one that would look like {@link ELEMENTS}, or like another that is
 * written so; it has one backslash more before it. So every path is that of one property.
 */
export function nameInPath(name: string): string {
  return /^\\*\[\]$/.test(name) ? `\\${name}` : name;
}
