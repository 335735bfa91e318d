import { v7 } from 'uuid';
import type { EventSchema } from '../../server/inspector/event-schema.ts';

/** How much a workspace has. */
export interface Scale {
  branches: number;
  events: number;
  /** At most 128. */
  shapesOfEvent: number;
}

/** 100,000 branches, 1,000,000 shapes. */
export const FULL_SCALE: Scale = { branches: 100_000, events: 10_000, shapesOfEvent: 100 };

/** To see that all works. */
export const SMALL_SCALE: Scale = { branches: 1_000, events: 100, shapesOfEvent: 20 };

const VERSIONS = 10;

/** The same each time. */
export function branchIdAt(index: number): string {
  return v7({ msecs: Date.UTC(2025, 0, 1) + index, random: new Uint8Array(16), seq: index });
}

export function eventNameAt(index: number): string {
  return `Event ${String(index).padStart(6, '0')}`;
}

/** The properties of an event's shape: seven whose types differ from shape to shape, and three that are the same in all. */
export function schemaAt(shape: number): EventSchema {
  const differing = Array.from({ length: 7 }, (_, bit) => ({
    name: `property${bit}`,
    type: (shape >> bit) % 2 === 0 ? ('string' as const) : ('int' as const),
  }));
  return [
    ...differing,
    { name: 'price', type: 'float' },
    { name: 'tags', type: 'list', items: [{ type: 'string' }] },
    { name: 'user', type: 'object', properties: [{ name: 'id', type: 'string' }] },
  ];
}

/** The app version that a shape, or whatever else has this number, was seen in. */
export function versionAt(index: number): string {
  return `1.${index % VERSIONS}.0`;
}

/** How many app versions there are. */
export function versionsOf(shapesOfEvent: number): number {
  return Math.min(VERSIONS, shapesOfEvent);
}

/** How many of an event's shapes an app version has. */
export function shapesIn(version: number, shapesOfEvent: number): number {
  return Math.ceil((shapesOfEvent - version) / VERSIONS);
}
