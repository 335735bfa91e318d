import { isObject, pointerTo, valueAt } from '../pointers.ts';
import type { Fields, Warn } from './fault.ts';

const TYPES = ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'];
const PLACES = ['header', 'query', 'cookie'];
const SECTION = '/components/securitySchemes';

/** The flows of OAuth 2.0, and what each must say. */
const FLOWS: Readonly<Record<string, readonly string[]>> = {
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
  clientCredentials: ['tokenUrl'],
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
};

/** What each type has beside its type and description. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  apiKey: ['name', 'in'],
  http: ['scheme', 'bearerFormat'],
  mutualTLS: [],
  oauth2: ['flows'],
  openIdConnect: ['openIdConnectUrl'],
};

/** The flows of Swagger 2.0, which a scheme has one of. */
const OLD_FLOWS: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
};

/** Mends security schemes. One that can't be understood is taken for a bearer token, so that nobody comes in without. */
export function mendSecuritySchemes(document: Fields, warn: Warn): void {
  const schemes = valueAt(document, SECTION);
  if (!isObject(schemes)) return;
  const isOld = String(document['openapi']).startsWith('3.0');
  for (const [name, scheme] of Object.entries(schemes)) {
    if (!isObject(scheme) || typeof scheme['$ref'] === 'string') continue;
    const at = pointerTo(SECTION, name);
    mendNames(scheme, at, warn);
    if (scheme['type'] === 'oauth2') mendFlows(scheme, at, warn);
    if (isWhole(scheme, isOld)) {
      leaveOutOthers(scheme, at, warn);
      continue;
    }
    schemes[name] = { type: 'http', scheme: 'bearer' };
    warn(at, `The security scheme "${name}" does not say how credentials are sent; it is taken for a bearer token.`);
  }
}

/** Types and places in other letters, and the schemes of HTTP as types. */
function mendNames(scheme: Fields, at: string, warn: Warn): void {
  for (const [field, known] of [
    ['type', TYPES],
    ['in', PLACES],
  ] as const) {
    const written = scheme[field];
    const meant = known.find((one) => one.toLowerCase() === String(written).toLowerCase());
    if (meant === undefined || meant === written) continue;
    scheme[field] = meant;
    warn(pointerTo(at, field), `"${field}" must be one of: ${known.join(', ')}; it is read as "${meant}".`);
  }
  const type = String(scheme['type']).toLowerCase();
  if (type !== 'basic' && type !== 'bearer') return;
  scheme['type'] = 'http';
  scheme['scheme'] = type;
  warn(pointerTo(at, 'type'), `"${type}" is the "scheme" of a security scheme of the type "http".`);
}

function isWhole(scheme: Fields, isOld: boolean): boolean {
  switch (scheme['type']) {
    case 'apiKey':
      return typeof scheme['name'] === 'string' && PLACES.includes(String(scheme['in']));
    case 'http':
      return typeof scheme['scheme'] === 'string';
    case 'openIdConnect':
      return typeof scheme['openIdConnectUrl'] === 'string';
    case 'mutualTLS':
      return !isOld;
    default:
      return scheme['type'] === 'oauth2';
  }
}

/** OpenAPI knows a scheme by its fields: one of another type hides which it is. */
function leaveOutOthers(scheme: Fields, at: string, warn: Warn): void {
  const known = new Set(['type', 'description', ...(FIELDS[String(scheme['type'])] ?? [])]);
  for (const field of Object.keys(scheme)) {
    if (known.has(field) || field.startsWith('x-')) continue;
    delete scheme[field];
    warn(pointerTo(at, field), `"${field}" does not belong to a scheme of this type; it is ignored.`);
  }
}

function mendFlows(scheme: Fields, at: string, warn: Warn): void {
  const { flow: old, authorizationUrl, tokenUrl, scopes } = scheme;
  if (scheme['flows'] === undefined && typeof old === 'string' && OLD_FLOWS[old] !== undefined)
    scheme['flows'] = { [OLD_FLOWS[old]]: { authorizationUrl, tokenUrl, scopes } };
  const flows = isObject(scheme['flows']) && !Array.isArray(scheme['flows']) ? scheme['flows'] : {};
  if (flows !== scheme['flows']) {
    scheme['flows'] = flows;
    warn(at, 'A security scheme of the type "oauth2" should have "flows".');
  }
  for (const [name, flow] of Object.entries(flows)) {
    const place = pointerTo(at, 'flows', name);
    const demanded = Object.hasOwn(FLOWS, name) ? FLOWS[name] : undefined;
    if (name.startsWith('x-')) continue;
    if (demanded === undefined || !isObject(flow) || demanded.some((field) => typeof flow[field] !== 'string')) {
      delete flows[name];
      warn(place, `"${name}" is no whole flow of OAuth 2.0; it is ignored.`);
    } else if (!isObject(flow['scopes']) || Array.isArray(flow['scopes'])) {
      flow['scopes'] = {};
      warn(place, `"${name}" lacks the field "scopes".`);
    }
    for (const [field, value] of Object.entries(isObject(flow) ? flow : {}))
      if (isObject(flow) && value === undefined) delete flow[field];
  }
}
