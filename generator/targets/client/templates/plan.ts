/**
 * How a body travels: `form` is `application/x-www-form-urlencoded`, `items` one JSON value after another; `bytes` is all that is neither
 * JSON, form nor text.
 */
export type Kind = 'json' | 'form' | 'multipart' | 'items' | 'text' | 'bytes';

/** How an answer's body comes: also as a `text/event-stream` whose data is JSON (`events`) or text. */
export type AnswerKind = Exclude<Kind, 'multipart'> | 'events' | 'textEvents';

/** How a value is written as text (OpenAPI, Parameter Object and Encoding Object). */
export interface StylePlan {
  name: string;
  style: string;
  explode: boolean;
  /** The value is written as a JSON document. */
  json?: boolean;
}

export interface ParameterPlan extends StylePlan {
  in: 'path' | 'query' | 'header' | 'cookie';
}

export interface MediaPlan {
  /** In lower case, without parameters; a range such as `image/*` is possible. */
  type: string;
  kind: Kind;
  /** The fields of a form that have a style of their own. */
  fields?: readonly StylePlan[];
}

export interface AnswerPlan {
  /** In lower case, without parameters; a range such as `image/*` is possible. */
  type: string;
  kind: AnswerKind;
}

/** One operation as a client needs it. */
export interface OperationPlan {
  id: string;
  method: string;
  /** The path template as the contract has it. */
  path: string;
  parameters: readonly ParameterPlan[];
  /** What a body may be, the one that goes without saying first. */
  sends: readonly MediaPlan[];
  /** By status (`201`), class (`4XX`) or `default`. */
  answers: Readonly<Record<string, readonly AnswerPlan[]>>;
  /** Alternatives, each with the names of its schemes. */
  security: readonly (readonly string[])[];
}

/** Where the secret of a security scheme goes. */
export type SchemePlan =
  | { kind: 'basic' }
  | { kind: 'authorization'; prefix: string }
  | { kind: 'header' | 'query' | 'cookie'; name: string }
  /** It is not sent: a certificate, say. */
  | { kind: 'elsewhere' };
