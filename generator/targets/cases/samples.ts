import { sample } from 'openapi-sampler';
import { exemplifyParents, isJsonObject, type Json, type OpenApiDocument, readChoice } from '@branchline/contract';
import type { Validator } from './validator.ts';
import { findSampleDepth } from './sample-depth.ts';
import { repairSample } from './sample-repair.ts';
import { shortenLists } from './short-lists.ts';
import { type SchemaObject, readSchema } from './schema-object.ts';

/** Makes valid values. What the validator does not accept is repaired, and given up where that fails. */
export interface Samples {
  /** A value with every property, or only with the required ones. */
  of(pointer: string, extent: 'full' | 'minimal'): Json | undefined;
  /** A value that takes the branch at `index` of a `oneOf` or `anyOf`. */
  ofBranch(pointer: string, keyword: string, index: number): Json | undefined;
}

/** @param leftOut - The mark of the properties that the direction does not hold: `readOnly` for requests, the default. */
export function createSamples(
  written: OpenApiDocument,
  validator: Validator,
  leftOut: 'readOnly' | 'writeOnly' = 'readOnly',
): Samples {
  const document = shortenLists(exemplifyParents(written));
  const made = (pointer: string, schema: SchemaObject, skipNonRequired: boolean, meant?: Json): Json | undefined => {
    const skip = leftOut === 'readOnly' ? { skipReadOnly: true } : { skipWriteOnly: true };
    const maxSampleDepth = findSampleDepth(document, schema);
    const options = { quiet: true, enablePatterns: true, skipNonRequired, ...skip, maxSampleDepth };
    const value = trySampling(() => sample(schema as Parameters<typeof sample>[0], options, document));
    if (value === undefined) return undefined;
    return repairSample(
      validator,
      pointer,
      isJsonObject(value) && isJsonObject(meant) ? { ...value, ...meant } : value,
    );
  };
  return {
    of: (pointer, extent) => {
      const schema = readSchema(document, pointer);
      if (schema !== undefined) return made(pointer, schema, extent === 'minimal');
      return validator.accepts(pointer, 'anything') ? 'anything' : undefined;
    },
    ofBranch: (pointer, keyword, index) => {
      const schema = readSchema(document, pointer);
      const branches = schema?.[keyword];
      if (schema === undefined || !Array.isArray(branches)) return undefined;
      const { example: _, examples: __, ...rest } = schema;
      return made(
        pointer,
        { ...rest, [keyword]: [branches[index]] },
        false,
        nameBranch(document, schema, branches[index]),
      );
    },
  };
}

/** What a value says of itself so that a discriminator takes it for one of a branch. */
function nameBranch(document: OpenApiDocument, schema: SchemaObject, branch: unknown): Json | undefined {
  const choice = readChoice(document, schema);
  const reference = isJsonObject(branch) ? branch['$ref'] : undefined;
  const [value] = choice?.branches.find((one) => one.reference === reference)?.values ?? [];
  return choice === undefined || value === undefined ? undefined : { [choice.property]: value };
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
