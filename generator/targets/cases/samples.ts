import { sample } from 'openapi-sampler';
import type { Json } from '@branchline/contract';
import type { Validator } from './validator.ts';
import { repairSample } from './sample-repair.ts';
import { type SchemaObject, readSchema } from './schema-object.ts';

/** Makes valid values. What the validator does not accept is repaired, and given up where that fails. */
export interface Samples {
  /** A value with every property, or only with the required ones. */
  of(pointer: string, extent: 'full' | 'minimal'): Json | undefined;
  /** A value that takes the branch at `index` of a `oneOf` or `anyOf`. */
  ofBranch(pointer: string, keyword: string, index: number): Json | undefined;
}

export function createSamples(document: object, validator: Validator): Samples {
  const made = (pointer: string, schema: SchemaObject, skipNonRequired: boolean): Json | undefined => {
    const options = { quiet: true, enablePatterns: true, skipNonRequired, maxSampleDepth: 12 };
    const value = trySampling(() => sample(schema as Parameters<typeof sample>[0], options, document));
    return value === undefined ? undefined : repairSample(validator, pointer, value);
  };
  return {
    of: (pointer, extent) => {
      const schema = readSchema(document, pointer);
      return schema === undefined ? 'anything' : made(pointer, schema, extent === 'minimal');
    },
    ofBranch: (pointer, keyword, index) => {
      const schema = readSchema(document, pointer);
      const branches = schema?.[keyword];
      if (schema === undefined || !Array.isArray(branches)) return undefined;
      const { example: _, examples: __, ...rest } = schema;
      return made(pointer, { ...rest, [keyword]: [branches[index]] }, false);
    },
  };
}

/** The sampler throws on schemas beyond it (an odd pattern, say); those have no sample. */
function trySampling(make: () => unknown): Json | undefined {
  try {
    const value = make();
    return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
  } catch {
    return undefined;
  }
}
