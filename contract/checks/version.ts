import { isObject } from '../pointers.ts';
import { isSwagger2 } from '../upgrade.ts';
import type { Finding } from './check.ts';

/** Is it an OpenAPI document of a version that the generator reads? */
export function checkVersion(value: unknown): Finding[] {
  if (value === null) return [{ pointer: '', sentence: 'The file is empty; it should hold an OpenAPI document.' }];
  if (!isObject(value) || Array.isArray(value)) {
    return [{ pointer: '', sentence: 'This is not an OpenAPI document: it must be an object with a field "openapi".' }];
  }
  if ('swagger' in value) {
    // Of version 2.0 only one without paths comes here: all others have been converted.
    const sentence = isSwagger2(value['swagger'])
      ? 'The field "paths" is missing or no object; a Swagger 2.0 document has its operations there.'
      : `Swagger ${String(value['swagger'])} is not supported; the generator reads 2.0, and OpenAPI 3.0 and 3.1.`;
    return [{ pointer: '/swagger', sentence }];
  }
  if (!('openapi' in value)) {
    const sentence = 'This is not an OpenAPI document: the field "openapi" (for example "3.1.0") is missing.';
    return [{ pointer: '', sentence }];
  }
  if (typeof value['openapi'] !== 'string') {
    return [{ pointer: '/openapi', sentence: 'The field "openapi" must be a string; write it in quotes: "3.1.0".' }];
  }
  if (/^3\.[01](\.\d+)?(-.+)?$/.test(value['openapi'])) return [];
  const sentence = `OpenAPI ${value['openapi']} is not supported; the generator reads 3.0 and 3.1.`;
  return [{ pointer: '/openapi', sentence }];
}
