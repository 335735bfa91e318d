import type { Markup } from './markup.ts';

/** How many bytes more a page may have. */
export class Room {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** The markup, if there is room for it. */
  take(markup: Markup): Markup | undefined {
    const bytes = Buffer.byteLength(markup.text);
    if (bytes > this.#left) return undefined;
    this.#left -= bytes;
    return markup;
  }
}
