import type { Direction, Effect } from '../levels.ts';

/** What a change of a schema does; in one direction it may be something else than in the other. */
type SchemaEffect = Effect | Readonly<Record<Direction, Effect>>;

/** Bounds: a name as it stands in rule ids. What is below one of `atLeast`, or above one of `atMost`, is refused. */
const LOWER = ['min', 'exclusive-min', 'min-length', 'min-items', 'min-properties', 'min-contains'] as const;
const UPPER = ['max', 'exclusive-max', 'max-length', 'max-items', 'max-properties', 'max-contains'] as const;
/** What asks for something of a value where it stands. */
const DEMANDS = [
  'contains',
  'content-schema',
  'dependent-required',
  'dependent-schema',
  'else',
  'format',
  'if',
  'not',
  'pattern',
  'pattern-property',
  'property-names',
  'then',
  'unevaluated-items',
  'unevaluated-properties',
] as const;

export type Bound = (typeof LOWER)[number] | (typeof UPPER)[number];
export type Demand = (typeof DEMANDS)[number];

type BoundChange = `${Bound}-${'set' | 'unset' | 'increased' | 'decreased'}`;
type DemandChange = `${Demand}-${'added' | 'removed'}`;

const single = {
  'additional-properties-closed': 'narrows',
  // Clients are to pass over what they do not know.
  'additional-properties-opened': { request: 'widens', response: 'unsure' },
  'any-of-added': 'widens',
  'any-of-removed': 'narrows',
  'became-enum': 'narrows',
  'became-not-enum': 'widens',
  'became-not-nullable': 'narrows',
  'became-nullable': 'widens',
  'const-added': 'narrows',
  'const-changed': 'replaces',
  'const-removed': 'widens',
  'contains-changed': 'unsure',
  'content-encoding-changed': 'replaces',
  'content-media-type-changed': 'replaces',
  'default-value-added': 'none',
  'default-value-changed': 'none',
  'default-value-removed': 'none',
  'dependent-required-changed': 'replaces',
  deprecated: 'none',
  'discriminator-added': 'unsure',
  'discriminator-mapping-added': 'widens',
  'discriminator-mapping-deleted': 'narrows',
  'discriminator-property-name-changed': 'replaces',
  'discriminator-removed': 'unsure',
  'enum-value-added': 'widens',
  'enum-value-removed': 'narrows',
  'format-changed': 'replaces',
  'if-changed': 'unsure',
  'list-of-types-narrowed': 'narrows',
  'list-of-types-widened': 'widens',
  'multiple-of-changed': 'replaces',
  'multiple-of-generalized': 'widens',
  'multiple-of-set': 'narrows',
  'multiple-of-specialized': 'narrows',
  'multiple-of-unset': 'widens',
  'not-changed': 'unsure',
  'one-of-added': 'widens',
  'one-of-alternatives-overlap': 'unsure',
  'one-of-removed': 'narrows',
  'pattern-changed': 'unsure',
  reactivated: 'none',
  'schema-became-false': 'narrows',
  'schema-became-not-false': 'widens',
  'type-changed': 'replaces',
  'type-generalized': 'widens',
  'type-specialized': 'narrows',
  'unevaluated-items-changed': 'unsure',
  'unevaluated-properties-changed': 'unsure',
  'unique-items-set': 'narrows',
  'unique-items-unset': 'widens',
  'unwrapped-from-any-of': 'narrows',
  'unwrapped-from-one-of': 'narrows',
  'wrapped-in-any-of': 'replaces',
  'wrapped-in-any-of-original-preserved': 'widens',
  'wrapped-in-one-of': 'replaces',
  'wrapped-in-one-of-original-preserved': 'unsure',
} as const satisfies Record<string, SchemaEffect>;

/** A change of a schema wherever it stands; a rule has the name of its place before it. */
export type PlacedChange = keyof typeof single | BoundChange | DemandChange;

/** All changes that rules tell of wherever a schema stands, with what they do. */
export const PLACED_CHANGES: Readonly<Record<string, SchemaEffect>> = {
  ...single,
  ...Object.fromEntries(LOWER.flatMap((bound) => listBoundChanges(bound, 'increased', 'decreased'))),
  ...Object.fromEntries(UPPER.flatMap((bound) => listBoundChanges(bound, 'decreased', 'increased'))),
  ...Object.fromEntries(
    DEMANDS.flatMap((demand): [string, Effect][] => [
      [`${demand}-added`, 'narrows'],
      [`${demand}-removed`, 'widens'],
    ]),
  ),
};

function listBoundChanges(bound: Bound, tighter: string, looser: string): [string, Effect][] {
  return [
    [`${bound}-set`, 'narrows'],
    [`${bound}-unset`, 'widens'],
    [`${bound}-${tighter}`, 'narrows'],
    [`${bound}-${looser}`, 'widens'],
  ];
}

/** Changes of a property in an object: the rule has this name whatever it stands in. */
export const PROPERTY_CHANGES = {
  'new-optional-request-property': { direction: 'request', effect: 'tells' },
  'new-required-request-property': { direction: 'request', effect: 'narrows' },
  'new-required-request-property-with-default': { direction: 'request', effect: 'narrows' },
  'request-property-became-optional': { direction: 'request', effect: 'widens' },
  'request-property-became-required': { direction: 'request', effect: 'narrows' },
  'request-property-became-required-with-default': { direction: 'request', effect: 'narrows' },
  'request-property-removed': { direction: 'request', effect: 'unsure' },
  'request-property-removed-before-sunset': { direction: 'request', effect: 'narrows' },
  'request-property-removed-with-deprecation': { direction: 'request', effect: 'none' },
  'request-optional-property-became-read-only': { direction: 'request', effect: 'unsure' },
  'request-optional-property-became-not-read-only': { direction: 'request', effect: 'widens' },
  'request-required-property-became-read-only': { direction: 'request', effect: 'unsure' },
  'request-required-property-became-not-read-only': { direction: 'request', effect: 'narrows' },
  'request-optional-property-became-write-only': { direction: 'request', effect: 'none' },
  'request-optional-property-became-not-write-only': { direction: 'request', effect: 'none' },
  'request-required-property-became-write-only': { direction: 'request', effect: 'none' },
  'request-required-property-became-not-write-only': { direction: 'request', effect: 'none' },
  'response-optional-property-added': { direction: 'response', effect: 'none' },
  'response-required-property-added': { direction: 'response', effect: 'narrows' },
  'response-optional-write-only-property-added': { direction: 'response', effect: 'none' },
  'response-required-write-only-property-added': { direction: 'response', effect: 'none' },
  'response-optional-property-removed': { direction: 'response', effect: 'none' },
  'response-required-property-removed': { direction: 'response', effect: 'widens' },
  'response-required-property-removed-before-sunset': { direction: 'response', effect: 'widens' },
  'response-required-property-removed-with-deprecation': { direction: 'response', effect: 'none' },
  'response-optional-write-only-property-removed': { direction: 'response', effect: 'none' },
  'response-required-write-only-property-removed': { direction: 'response', effect: 'none' },
  'response-property-became-optional': { direction: 'response', effect: 'widens' },
  'response-property-became-required': { direction: 'response', effect: 'narrows' },
  'response-write-only-property-became-optional': { direction: 'response', effect: 'none' },
  'response-write-only-property-became-required': { direction: 'response', effect: 'none' },
  'response-optional-property-became-read-only': { direction: 'response', effect: 'none' },
  'response-optional-property-became-not-read-only': { direction: 'response', effect: 'none' },
  'response-required-property-became-read-only': { direction: 'response', effect: 'none' },
  'response-required-property-became-not-read-only': { direction: 'response', effect: 'none' },
  'response-optional-property-became-write-only': { direction: 'response', effect: 'none' },
  'response-optional-property-became-not-write-only': { direction: 'response', effect: 'none' },
  'response-required-property-became-write-only': { direction: 'response', effect: 'widens' },
  'response-required-property-became-not-write-only': { direction: 'response', effect: 'narrows' },
} as const satisfies Record<string, { direction: Direction; effect: Effect }>;

export type PropertyChange = keyof typeof PROPERTY_CHANGES;

/** What a change does to the values that its schema allows. */
export function effectOf(name: PlacedChange | PropertyChange, direction: Direction): Effect {
  if (isPropertyChange(name)) return PROPERTY_CHANGES[name].effect;
  const effect = PLACED_CHANGES[name] ?? 'unsure';
  return typeof effect === 'string' ? effect : effect[direction];
}

export function isPropertyChange(name: string): name is PropertyChange {
  return Object.hasOwn(PROPERTY_CHANGES, name);
}
