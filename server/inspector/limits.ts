import type { components } from '../generated/types.ts';
import contract from '../generated/contract.json' with { type: 'json' };

/** What the contract asks of an event beyond what JSON Schema can say. */
export interface EventLimits {
  /** How deep properties and list elements may be nested; those of the event itself are at level 1. */
  maxDepth: number;
  /** How many properties an event may have, at all levels together. */
  maxProperties: number;
  /** How many characters the paths of all its properties may have together. */
  maxPathCharacters: number;
  /** How many types of elements its lists may name, at all levels together. */
  maxElementTypes: number;
}

const report = contract.components.schemas.EventReport;

/** The limits of the contract. */
export const EVENT_LIMITS: EventLimits = {
  maxDepth: report['x-branchline-max-depth'],
  maxProperties: report['x-branchline-max-properties'],
  maxPathCharacters: report['x-branchline-max-path-characters'],
  maxElementTypes: report['x-branchline-max-element-types'],
};

/** How many entries a page of a report holds unless the request says otherwise. */
export const PAGE_SIZE = contract.components.parameters.Limit.schema.default;

/** How many types of a property a conflict names. */
export const MAX_TYPES_NAMED = contract.components.schemas.TypeConflict.properties.types.maxItems;

/** In how many places a conflict says that a type was seen. */
export const MAX_PLACES_NAMED = contract.components.schemas.ConflictingType.properties.seenIn.maxItems;

const live = contract.components.schemas.LiveBatch.properties;

/** How many names of events and how many rejections are told of a batch that is watched. */
export const MAX_LIVE_NAMES = live.events.maxItems;
export const MAX_LIVE_REJECTIONS = live.rejections.maxItems;

const summary = contract.components.schemas.EventSummary.properties;

/** Up to how many type conflicts are counted. */
export const MAX_CONFLICTS_COUNTED = summary.conflicts.maximum;

/** Up to how many open issues are counted. */
export const MAX_ISSUES_COUNTED = summary.issues.maximum;

/** How many days a summary shows. */
export const SUMMARY_DAYS = summary.days.maxItems;

/** How many sources and app versions a summary names. */
export const MAX_SOURCES_NAMED = contract.components.schemas.SummarySources.properties.names.maxItems;
export const MAX_VERSIONS_NAMED = contract.components.schemas.SummaryVersions.properties.newest.maxItems;

const volume = contract.components.schemas.EventVolume.properties;

/** How many hours or days of volume are shown, and how many parts of it. */
export const VOLUME_HOURS = volume.total.minItems;
export const VOLUME_DAYS = volume.total.maxItems;
export const MAX_VOLUME_SERIES = volume.series.maxItems;

/** Of how many sources and API keys each a report names the budget. */
export const MAX_HOLDERS_NAMED = contract.components.schemas.InspectorBudget.properties.sources.maxItems;

/** The environments that an app can run in. */
export const ENVIRONMENTS = contract.components.schemas.Environment.enum as components['schemas']['Environment'][];
