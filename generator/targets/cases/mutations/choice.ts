import type { Json } from '@branchline/contract';
import { type ProbesOf, breaking } from '../mutation.ts';
import { subschemas } from '../schema-object.ts';

const unlikely: readonly Json[] = [null, true, 7, 7.5, 'branchline-unlikely', [], {}, { branchlineUnknown: 'unknown' }];

/** A value that no branch of `oneOf` or `anyOf` accepts. */
export const choiceProbes: ProbesOf = (site) =>
  ['oneOf', 'anyOf']
    .filter((keyword) => subschemas(site.schema, site.pointer, keyword).length > 0)
    .map((keyword) =>
      breaking(site, keyword, {
        rule: `${keyword}-none`,
        says: `fits no branch of its ${keyword}`,
        candidates: unlikely,
      }),
    );
