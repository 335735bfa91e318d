import type { Json } from '../json.ts';
import type { FormPlan } from './form.ts';

/** The generated file `cases.json`: everything derived from one contract. */
export interface CaseFile {
  contract: { source: string };
  /** Valid request bodies, each the base of many cases. */
  bodies: Record<string, Json>;
  cases: Case[];
  /** What the contract gave no way to try, said plainly. */
  leftOut: { operationId: string; reason: string }[];
}

/** One request and what must come back. */
export interface Case {
  /** Stable and readable: `createBranch/body/name/minLength-below`. */
  id: string;
  operationId: string;
  /** Of the operation, lower case; `request.method` may differ. */
  method: string;
  /** The path template. */
  path: string;
  /** A sentence. */
  title: string;
  /** `required`: documented, judged. `observed`: the contract documents no answer, so it is reported and never judged. */
  level: 'required' | 'observed';
  /** What is wrong in the request. Left out: nothing, so that it is to succeed. */
  mistake?: Mistake;
  /** What the case is about: everything else in its request is ordinary and valid. */
  varies: Variation;
  request: CaseRequest;
  expect: Expectation;
}

/** What a request can get wrong. */
export type Mistake = 'body' | 'parameter' | 'path' | 'media-type' | 'credentials' | 'method';

export interface Variation {
  in: 'nothing' | 'body' | 'path' | 'query' | 'header' | 'cookie' | 'authentication' | 'method';
  /** The parameter's name, or a JSON pointer into the body. */
  at?: string;
}

export interface CaseRequest {
  /** The method really sent, lower case. Defaults to the operation's. */
  method?: string;
  /** `none`: the operation asks for no credentials. */
  authentication: 'valid' | 'missing' | 'wrong' | 'none';
  /** Raw values; the runner percent-encodes them. */
  path?: Record<string, string>;
  query?: Record<string, string | string[]>;
  headers?: Record<string, string>;
  contentType?: string;
  /** How the body is written where it is no JSON. */
  form?: FormPlan;
  body?: BodyPatch;
}

/** How a body comes about: a base body from `CaseFile.bodies`, with at most one place changed; or raw text. */
export type BodyPatch = { text: string } | { base: string } | ({ base: string; at: string } & Change);

/** What stands at the changed place. `repeat` keeps long strings and arrays out of the file. */
export type Change =
  | { value: Json }
  | { absent: true }
  | { repeat: string; times: number; before: string; after: string }
  | { repeatItem: Json; times: number };

export interface Expectation {
  /** Any of these; `2XX` stands for its class. Empty for observed cases. */
  statuses: (number | string)[];
  /** Methods that the `Allow` header must name, upper case. */
  allow?: string[];
}
