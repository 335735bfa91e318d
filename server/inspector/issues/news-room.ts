import type { Shape } from '../shape.ts';

/** How much it takes to look at shapes. */
export interface NewsSize {
  shapes: number;
  properties: number;
  /** Those of their schemas as JSON and of the paths of their properties. */
  characters: number;
}

/** The bounds of one transaction, which limit how long other writers wait. */
const MOST: NewsSize = { shapes: 50, properties: 1_000, characters: 131_072 };

/** How much one transaction looks at; the first to be taken always fits, so that all is looked at some time. */
export class NewsRoom {
  #taken: NewsSize = { shapes: 0, properties: 0, characters: 0 };

  /** Takes that much if it fits. */
  take(size: NewsSize): boolean {
    const { shapes, properties, characters } = this.#taken;
    const sum = {
      shapes: shapes + size.shapes,
      properties: properties + size.properties,
      characters: characters + size.characters,
    };
    const fits = sum.shapes <= MOST.shapes && sum.properties <= MOST.properties && sum.characters <= MOST.characters;
    if (!fits && shapes > 0) return false;
    this.#taken = sum;
    return true;
  }
}

export function sizeOfShape({ properties, schema, pathCharacters }: Shape): NewsSize {
  return { shapes: 1, properties, characters: schema.length + pathCharacters };
}
