import { levelsOf, type Direction, type Effect, type Levels } from './levels.ts';
import {
  effectOf,
  isPropertyChange,
  type PlacedChange,
  PLACED_CHANGES,
  PROPERTY_CHANGES,
  type PropertyChange,
} from './schema/changes.ts';

/** Where the outermost schema stands, or what stands in it, and how its rules begin. */
const SCHEMA_PLACES = {
  'request-body': 'request',
  'request-parameter': 'request',
  'request-parameter-property': 'request',
  'request-property': 'request',
  'response-body': 'response',
  'response-header': 'response',
  'response-header-property': 'response',
  'response-property': 'response',
} as const satisfies Record<string, Direction>;

export type SchemaPlace = keyof typeof SCHEMA_PLACES;

const NOTHING: Levels = { clients: 'info', servers: 'info' };
const BREAKS_CLIENTS: Levels = { clients: 'error', servers: 'info' };
const BREAKS_SERVERS: Levels = { clients: 'info', servers: 'error' };
const BREAKS_BOTH: Levels = { clients: 'error', servers: 'error' };
const MAY_BREAK_BOTH: Levels = { clients: 'warning', servers: 'warning' };
const MAY_BREAK_SERVERS: Levels = { clients: 'info', servers: 'warning' };

/** Changes of all that is no schema. */
const OPERATION_RULES = {
  'api-deprecated-sunset-parse': BREAKS_CLIENTS,
  'api-operation-id-added': NOTHING,
  'api-operation-id-changed': NOTHING,
  'api-operation-id-removed': NOTHING,
  'api-path-removed-before-sunset': BREAKS_CLIENTS,
  'api-path-removed-with-deprecation': NOTHING,
  'api-path-removed-without-deprecation': BREAKS_CLIENTS,
  'api-removed-before-sunset': BREAKS_CLIENTS,
  'api-removed-with-deprecation': NOTHING,
  'api-removed-without-deprecation': BREAKS_CLIENTS,
  'api-security-added': BREAKS_SERVERS,
  'api-security-anonymous-access-added': BREAKS_SERVERS,
  'api-security-anonymous-access-removed': BREAKS_CLIENTS,
  'api-security-component-added': NOTHING,
  'api-security-component-api-key-in-changed': BREAKS_BOTH,
  'api-security-component-api-key-name-changed': BREAKS_BOTH,
  'api-security-component-bearer-format-changed': NOTHING,
  'api-security-component-http-scheme-changed': BREAKS_BOTH,
  'api-security-component-oauth-refresh-url-changed': MAY_BREAK_BOTH,
  'api-security-component-oauth-scope-added': NOTHING,
  'api-security-component-oauth-scope-changed': NOTHING,
  'api-security-component-oauth-scope-removed': NOTHING,
  'api-security-component-oauth-token-url-changed': MAY_BREAK_BOTH,
  'api-security-component-oauth-url-changed': MAY_BREAK_BOTH,
  'api-security-component-openid-connect-url-changed': MAY_BREAK_BOTH,
  'api-security-component-removed': NOTHING,
  'api-security-component-type-changed': BREAKS_BOTH,
  'api-security-removed': BREAKS_CLIENTS,
  'api-security-scope-added': BREAKS_CLIENTS,
  'api-security-scope-removed': BREAKS_SERVERS,
  'api-sunset-date-changed-too-small': BREAKS_CLIENTS,
  'api-tag-added': NOTHING,
  'api-tag-removed': NOTHING,
  'endpoint-added': BREAKS_SERVERS,
  'endpoint-deprecated': NOTHING,
  'endpoint-deprecated-with-sunset': NOTHING,
  'endpoint-reactivated': NOTHING,
  'new-optional-request-parameter': MAY_BREAK_SERVERS,
  'new-required-request-default-parameter-to-existing-path': BREAKS_CLIENTS,
  'new-required-request-parameter': BREAKS_CLIENTS,
  'optional-response-header-removed': NOTHING,
  'request-body-added-optional': MAY_BREAK_SERVERS,
  'request-body-added-required': BREAKS_CLIENTS,
  'request-body-became-optional': BREAKS_SERVERS,
  'request-body-became-required': BREAKS_CLIENTS,
  'request-body-encoding-changed': BREAKS_BOTH,
  'request-body-media-type-added': BREAKS_SERVERS,
  'request-body-media-type-removed': BREAKS_CLIENTS,
  'request-body-removed': BREAKS_CLIENTS,
  'request-parameter-became-optional': BREAKS_SERVERS,
  'request-parameter-became-required': BREAKS_CLIENTS,
  'request-parameter-deprecated': NOTHING,
  'request-parameter-reactivated': NOTHING,
  'request-parameter-removed': { clients: 'warning', servers: 'info' },
  'request-parameter-removed-before-sunset': BREAKS_CLIENTS,
  'request-parameter-removed-with-deprecation': NOTHING,
  'request-parameter-serialization-changed': BREAKS_BOTH,
  'request-parameter-sunset-date-changed-too-small': BREAKS_CLIENTS,
  'request-parameter-sunset-deleted': BREAKS_CLIENTS,
  'request-parameter-sunset-parse': BREAKS_CLIENTS,
  'required-response-header-removed': BREAKS_CLIENTS,
  'response-header-added': NOTHING,
  'response-header-became-optional': BREAKS_CLIENTS,
  'response-header-became-required': BREAKS_SERVERS,
  'response-media-type-added': NOTHING,
  'response-media-type-removed': BREAKS_CLIENTS,
  'response-non-success-status-added': NOTHING,
  'response-non-success-status-removed': NOTHING,
  'response-success-status-added': NOTHING,
  'response-success-status-removed': BREAKS_CLIENTS,
  'sunset-deleted': BREAKS_CLIENTS,
  'webhook-added': NOTHING,
  'webhook-removed': BREAKS_CLIENTS,
} as const satisfies Record<string, Levels>;

export type OperationRule = keyof typeof OPERATION_RULES;

export function levelsOfRule(rule: OperationRule): Levels {
  return OPERATION_RULES[rule];
}

/** What the rule of a schema's change is called. */
export function nameSchemaRule(place: SchemaPlace, name: PlacedChange | PropertyChange): string {
  if (isPropertyChange(name)) return name;
  // oasdiff, whose names these are, calls bodies of responses by their media type here.
  return /became-(not-)?enum|enum-value/.test(name) && place === 'response-body'
    ? `response-mediatype-${name}`
    : `${place}-${name}`;
}

export function levelsOfSchemaChange(place: SchemaPlace, effect: Effect): Levels {
  return levelsOf(effect, SCHEMA_PLACES[place]);
}

/** All rules by their ids, with the levels that they have where nothing makes an exception. */
export const RULES: ReadonlyMap<string, Levels> = new Map(
  [
    ...Object.entries(OPERATION_RULES),
    ...Object.entries(PROPERTY_CHANGES).map(([id, { direction, effect }]): [string, Levels] => [
      id,
      levelsOf(effect, direction),
    ]),
    ...Object.entries(SCHEMA_PLACES).flatMap(([place, direction]) =>
      Object.keys(PLACED_CHANGES).map((name): [string, Levels] => [
        nameSchemaRule(place as SchemaPlace, name as PlacedChange),
        levelsOf(effectOf(name as PlacedChange, direction), direction),
      ]),
    ),
  ].toSorted(([a], [b]) => (a < b ? -1 : 1)),
);
