import { isObject, pointerTo, valueAt } from '../pointers.ts';
import type { Finding } from './check.ts';

/** What each type of security scheme must say, beside its type. */
const demanded: Readonly<Record<string, readonly string[]>> = {
  apiKey: ['name', 'in'],
  http: ['scheme'],
  mutualTLS: [],
  oauth2: ['flows'],
  openIdConnect: ['openIdConnectUrl'],
};

/** Security schemes. As with parameters, OpenAPI's own schema can't tell which alternative was meant. */
export function checkSecuritySchemes(document: object): Finding[] {
  const pointer = '/components/securitySchemes';
  const schemes = valueAt(document, pointer);
  return Object.entries(isObject(schemes) ? schemes : {}).flatMap(([name, scheme]) =>
    checkScheme(name, scheme, pointerTo(pointer, name)),
  );
}

function checkScheme(name: string, scheme: unknown, pointer: string): Finding[] {
  if (!isObject(scheme) || '$ref' in scheme) return [];
  const type = String(scheme['type'] ?? '');
  const fields = Object.hasOwn(demanded, type) ? demanded[type] : undefined;
  if (fields === undefined) {
    const sentence = `The "type" of the security scheme "${name}" must be one of: ${Object.keys(demanded).join(', ')}.`;
    return [{ pointer: type === '' ? pointer : pointerTo(pointer, 'type'), sentence }];
  }
  return fields
    .filter((field) => scheme[field] === undefined)
    .map((field) => ({
      pointer,
      sentence: `The security scheme "${name}" of type ${type} lacks the field "${field}".`,
    }));
}
