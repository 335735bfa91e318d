import { isObject } from '../pointers.ts';
import { mendHead } from './document.ts';
import { mendExamples } from './examples.ts';
import type { Warn } from './fault.ts';
import { mendOperations } from './operations.ts';
import { mendReferences } from './references.ts';
import { mendSchemas } from './schemas.ts';
import { mendSecuritySchemes } from './security-schemes.ts';
import { mendValues } from './values.ts';

/** Mends, in the document itself, what is wrong in it and hurts nobody: each fault is warned of. */
export function mendFaults(document: unknown, warn: Warn): void {
  if (!isObject(document) || Array.isArray(document)) return;
  if (!('openapi' in document)) return;
  mendHead(document, warn);
  mendReferences(document, warn);
  mendValues(document, warn);
  mendSchemas(document, warn);
  mendSecuritySchemes(document, warn);
  mendOperations(document, warn);
  mendExamples(document, warn);
}
