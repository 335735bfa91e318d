import type { SentEvent } from './captured-request.ts';
import { computeShapeId } from './shape-id.ts';

/** The shapes that a service was sent, as a server knows them. */
export class KnownShapes {
  readonly #ids = new Set<string>();

  /** The ids, each once, of shapes that it was never sent with an event of that name. */
  findUnknown(events: readonly SentEvent[]): string[] {
    const unknown = events.flatMap(({ eventName, shapeId }) =>
      shapeId === undefined || this.#ids.has(toKey(eventName, shapeId)) ? [] : [shapeId],
    );
    return [...new Set(unknown)];
  }

  add(events: readonly SentEvent[]): void {
    for (const { eventName, schema } of events) {
      if (Array.isArray(schema)) this.#ids.add(toKey(eventName, computeShapeId(eventName, schema)));
    }
  }

  forget(): void {
    this.#ids.clear();
  }
}

function toKey(eventName: string, shapeId: string): string {
  return JSON.stringify([eventName, shapeId]);
}
