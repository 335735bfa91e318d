import type { Ajv2020, CodeKeywordDefinition } from 'ajv/dist/2020.js';

/** A keyword of Ajv's own, whose code may be replaced: each Ajv has definitions of its own. */
export function findKeyword(ajv: Ajv2020, name: string): CodeKeywordDefinition {
  const keyword = ajv.getKeyword(name);
  if (typeof keyword !== 'object' || !('code' in keyword)) throw new TypeError(`Ajv has no code for ${name}.`);
  return keyword;
}
