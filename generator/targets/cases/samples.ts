import { sample } from 'openapi-sampler';
import type { Json } from '@branchline/contract';
import type { Oracle } from './validator.ts';
import { repaired } from './sample-repair.ts';
import { type SchemaObject, schemaAt } from './schema-object.ts';

/** Makes valid values. What the oracle does not accept is repaired, and given up where that fails. */
export interface Samples {
  /** A value with every property, or only with the required ones. */
  of(pointer: string, extent: 'full' | 'minimal'): Json | undefined;
  /** A value that takes the branch at `index` of a `oneOf` or `anyOf`. */
  ofBranch(pointer: string, keyword: string, index: number): Json | undefined;
}

export function samplesFor(document: object, oracle: Oracle): Samples {
  const made = (pointer: string, schema: SchemaObject, skipNonRequired: boolean): Json | undefined => {
    const options = { quiet: true, enablePatterns: true, skipNonRequired, maxSampleDepth: 12 };
    const value = attempted(() => sample(schema as Parameters<typeof sample>[0], options, document));
    return value === undefined ? undefined : repaired(oracle, pointer, value);
  };
  return {
    of: (pointer, extent) => {
      const schema = schemaAt(document, pointer);
      return schema === undefined ? 'anything' : made(pointer, schema, extent === 'minimal');
    },
    ofBranch: (pointer, keyword, index) => {
      const schema = schemaAt(document, pointer);
      const branches = schema?.[keyword];
      if (schema === undefined || !Array.isArray(branches)) return undefined;
      const { example: _, examples: __, ...rest } = schema;
      return made(pointer, { ...rest, [keyword]: [branches[index]] }, false);
    },
  };
}

/** The sampler throws on schemas beyond it (an odd pattern, say); those have no sample. */
function attempted(make: () => unknown): Json | undefined {
  try {
    const value = make();
    return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
  } catch {
    return undefined;
  }
}
