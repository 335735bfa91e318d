import type { Json } from '@branchline/contract';
import { type MutationRule, breakKeyword } from '../mutation.ts';
import { listSubschemas } from '../schema-object.ts';

const unlikely: readonly Json[] = [null, true, 7, 7.5, 'branchline-unlikely', [], {}, { branchlineUnknown: 'unknown' }];

/** A value that no branch of `oneOf` or `anyOf` accepts. */
export const mutateChoice: MutationRule = (location) =>
  ['oneOf', 'anyOf']
    .filter((keyword) => listSubschemas(location.schema, location.pointer, keyword).length > 0)
    .map((keyword) =>
      breakKeyword(location, keyword, {
        rule: `${keyword}-none`,
        says: `fits no branch of its ${keyword}`,
        candidates: unlikely,
      }),
    );
