import { relaxRequired } from './directions.ts';
import { applyDiscriminators } from './discriminators.ts';
import type { OpenApiDocument } from './openapi.ts';

/** The document by whose schemas requests are validated: discriminators decide, and what only replies hold is not asked for. */
export function toRequestSchemas(document: OpenApiDocument): OpenApiDocument {
  return applyDiscriminators(relaxRequired(document, 'readOnly'));
}

/** The document by whose schemas replies are validated: discriminators decide, and what only requests hold is not asked for. */
export function toReplySchemas(document: OpenApiDocument): OpenApiDocument {
  return applyDiscriminators(relaxRequired(document, 'writeOnly'));
}
