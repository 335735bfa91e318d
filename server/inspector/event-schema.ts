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
