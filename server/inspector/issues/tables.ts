import type { components } from '../../generated/types.ts';
import type { PlaceColumns } from '../tables.ts';

type Issue = components['schemas']['Issue'];

export interface IssueTables {
  issues: IssueRow;
  issue_names: IssueNameRow;
  issue_versions: IssueVersionRow;
  issue_news: IssueNewsRow;
}

/** One row per issue. Its source, environment and app version are those where it was seen last. */
export interface IssueRow extends PlaceColumns {
  /** A digest of everything that identifies the issue. */
  issue_id: string;
  kind: Issue['kind'];
  /** Empty for an issue of the whole source. */
  event_key: string;
  /** `boundedKey` of the path; empty for an issue of the whole event. */
  path_key: string;
  event_name: string;
  /** JSON array of the names from the event down to the property. */
  path: string;
  /** The type, name, source, app version or bound that it differs from. */
  compared_with: string | null;
  state: Issue['state'];
  first_seen: number;
  /** When an app version was last found to have it for the first time. */
  last_seen: number;
  /** When it was opened, or reopened. */
  raised_at: number;
  /** When its state was changed; null: never. */
  changed_at: number | null;
  /** E-mail of the person who changed it; null: changed automatically. */
  changed_by: string | null;
}

/** The first of the names that differ only by case and separators. */
export interface IssueNameRow {
  workspace_id: string;
  /** The event whose property has the name; empty for event names. */
  event_key: string;
  /** `boundedKey` of the folded name, for a property preceded by the names above it. */
  folded_key: string;
  /** The event's name, or the property's path as JSON. */
  name: string;
}

/** An app version in a source and environment. */
export interface IssueVersionRow extends PlaceColumns {
  first_seen: number;
  /** When it is compared next; null: no more comparisons. */
  due_at: number | null;
}

/** The new data of one transaction that has not been checked for issues. */
export interface IssueNewsRow {
  workspace_id: string;
  entry_id: string;
  /** JSON array of `PlaceNews`. */
  news: string;
}
