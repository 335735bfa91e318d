import type { Selection } from './selection.ts';

/** How strictly a clause is meant: documented, decided by this project, or left open by the documents. */
export type Level = 'required' | 'profile' | 'observed';

/** A sentence that an implementation can meet or miss. */
export interface Clause {
  readonly id: string;
  readonly level: Level;
  /** What it applies to: a server of the API, or a client library that sends schemas to one. */
  readonly subject: 'service' | 'library';
  /** Title of the document, or of the page of decisions. */
  readonly document: string;
  readonly section: string;
  readonly sentence: string;
  /** Of a profile clause the decision's reason; of an observed one what is left open. */
  readonly note?: string;
}

/** A request and what came of it, with every secret taken out. */
export interface Exchange {
  /** Which operation was called, by a name that the cases have for it; left out where a client library calls. */
  readonly operation?: string;
  /** When the request was sent. */
  readonly startedAt?: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: [string, string][];
    readonly body?: string;
    /** The body's bytes in Base64, where they are no UTF-8 and hold no secret. */
    readonly base64?: string;
    /** The body went on. */
    readonly truncated?: true;
  };
  readonly response?: {
    readonly status: number;
    readonly httpVersion: string;
    readonly headers: [string, string][];
    readonly body: string;
    readonly truncated?: true;
    readonly milliseconds: number;
  };
  /** What kept a whole response from arriving. */
  readonly problem?: string;
}

/** `error` is a fault of the test: of the suite, or of a command that its user gave. */
export type CaseState = 'pass' | 'fail' | 'skip' | 'not-observed' | 'error';

/** What became of one case. */
export interface CaseResult {
  readonly id: string;
  /** Ids of the clauses that the case is about. */
  readonly clauses: string[];
  readonly level: Level;
  readonly title: string;
  readonly state: CaseState;
  /** Why it was skipped, or why nothing could be observed. */
  readonly reason?: string;
  /** What was wrong, a sentence each. */
  readonly problems?: string[];
  /** What the contract leaves open and its author will want to know, a sentence each. They fail nothing. */
  readonly warnings?: string[];
  /** Of an observed case: what was seen. */
  readonly saw?: string;
  readonly exchanges: Exchange[];
  readonly milliseconds: number;
  /** The reason of the waiver that forgives the failure. */
  readonly waived?: string;
}

/** Which of the demanded clauses a run tried; where a contract alone is demanded, which of its operations. */
export interface Coverage {
  /** Left out: clauses. */
  readonly of?: 'operations';
  /** How many clauses were demanded. */
  readonly demanded: number;
  /** Those that no case could try, with the reasons. */
  readonly untried: readonly { readonly clause: string; readonly reasons: readonly string[] }[];
}

/** What changed since an earlier run: ids of cases. */
export interface Comparison {
  /** When the earlier run began. */
  readonly startedAt?: string;
  /** They failed, and pass now. */
  readonly fixed: readonly string[];
  /** They passed, and fail now. */
  readonly broken: readonly string[];
  /** They fail, and were not tried before. */
  readonly new: readonly string[];
  /** They failed, and fail. */
  readonly still: readonly string[];
}

/** A whole run. */
export interface Report {
  readonly tool: { readonly name: string; readonly version: string };
  /** The contract that generated cases come from; `source` is its file, where that is not this project's own. */
  readonly contract: { readonly sha256: string; readonly source?: string };
  /** A workspace and its accounts are what the cases of a service of the Branch Management API need. */
  readonly target: { readonly baseUrl: string; readonly workspace?: string; readonly accounts?: number };
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly requests: number;
  /** What everything by chance follows from. Left out where nothing was left to chance. */
  readonly seed?: number;
  /** Whether the decisions of this project were demanded too. */
  readonly profile: boolean;
  /** What chose the cases. Left out: all were to be tried. */
  readonly selection?: Selection;
  readonly results: CaseResult[];
  readonly coverage: Coverage;
  /** What became of each waiver. Left out where none were given. */
  readonly waivers?: WaiverResult[];
  /** What changed since an earlier report. Left out where none was given. */
  readonly comparison?: Comparison;
  /** The run was interrupted: results are missing. */
  readonly incomplete?: true;
  /** The run ended at its first failure, as it was to: results are missing. */
  readonly stopped?: true;
  /** No demanded failure in what was tried; whether that was everything is in `coverage`. */
  readonly conforms: boolean;
}

/**
 * `used`: it forgave a failure. `stale`: what it names did not fail, which fails the run, so that the waiver is removed.
 * `pruned`: it would be stale, but the tool itself removes it from the baseline that it stands in.
 * `expired`: its last day is over, and it forgives nothing. `unused`: not everything that it names was tried.
 */
export type WaiverState = 'used' | 'stale' | 'pruned' | 'expired' | 'unused';

/** A known failure, and what became of it in this run. */
export interface WaiverResult {
  readonly case?: string;
  readonly clause?: string;
  readonly reason: string;
  /** The last day on which it counts, as `2026-12-31`. */
  readonly until?: string;
  readonly link?: string;
  /** It stands in a baseline, which the tool keeps itself. */
  readonly baseline?: true;
  readonly state: WaiverState;
}
