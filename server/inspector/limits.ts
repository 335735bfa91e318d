import type { components } from '../generated/types.ts';
import contract from '../generated/contract.json' with { type: 'json' };

/** The contract's limits of an event that JSON Schema can't express. */
export interface EventLimits {
  /** The maximum nesting of properties and list elements; the event's own are at level 1. */
  maxDepth: number;
  /** The maximum number of properties of an event, across all levels. */
  maxProperties: number;
  /** The maximum number of characters in the paths of all its properties. */
  maxPathCharacters: number;
  /** The maximum number of element types in its lists, across all levels. */
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

/** The default number of entries in a report's page. */
export const PAGE_SIZE = contract.components.parameters.Limit.schema.default;

/** The maximum number of a property's types in a conflict. */
export const MAX_TYPES_NAMED = contract.components.schemas.TypeConflict.properties.types.maxItems;

/** The maximum number of places of a type in a conflict. */
export const MAX_PLACES_NAMED = contract.components.schemas.ConflictingType.properties.seenIn.maxItems;

const live = contract.components.schemas.LiveBatch.properties;

/** The maximum number of event names and of rejections in a watched batch. */
export const MAX_LIVE_NAMES = live.events.maxItems;
export const MAX_LIVE_REJECTIONS = live.rejections.maxItems;

const summary = contract.components.schemas.EventSummary.properties;

/** Type conflicts are counted up to this number. */
export const MAX_CONFLICTS_COUNTED = summary.conflicts.maximum;

/** Open issues are counted up to this number. */
export const MAX_ISSUES_COUNTED = summary.issues.maximum;

/** The number of days in a summary. */
export const SUMMARY_DAYS = summary.days.maxItems;

/** The maximum number of sources and app versions in a summary. */
export const MAX_SOURCES_NAMED = contract.components.schemas.SummarySources.properties.names.maxItems;
export const MAX_VERSIONS_NAMED = contract.components.schemas.SummaryVersions.properties.newest.maxItems;

const volume = contract.components.schemas.EventVolume.properties;

/** The number of hours or days in a volume, and the maximum number of its parts. */
export const VOLUME_HOURS = volume.total.minItems;
export const VOLUME_DAYS = volume.total.maxItems;
export const MAX_VOLUME_SERIES = volume.series.maxItems;

/** The maximum number of sources, and of API keys, in a budget report. */
export const MAX_HOLDERS_NAMED = contract.components.schemas.InspectorBudget.properties.sources.maxItems;

/** The environments that an app can run in. */
export const ENVIRONMENTS = contract.components.schemas.Environment.enum as components['schemas']['Environment'][];
