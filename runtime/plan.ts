/** One operation as the runtime needs it: everything that can be known of it before a request comes. */
export interface OperationPlan {
  /** The name of its handler. */
  id: string;
  method: string;
  /** The path template as the contract has it. */
  path: string;
  /** The same for the router: a parameter whose name it can't take is called `{p0}`, `{p1}`, …; a colon is doubled. */
  route: string;
  /** Alternatives; in each, every scheme must succeed. None: the operation is open to all. */
  security: readonly Readonly<Record<string, readonly string[]>>[];
  parameters: readonly ParameterPlan[];
  body?: BodyPlan;
  responses: readonly ResponsePlan[];
}

/** How a value is written as text (OpenAPI, Parameter Object and Encoding Object). */
export interface StylePlan {
  /** Its name in the request: `p0` for a path parameter that the router can't name, lower case for a header. */
  key: string;
  style: string;
  explode: boolean;
  /** `json`: the text is a JSON document. */
  shape: 'value' | 'array' | 'object' | 'json';
  /** The names an exploded object takes from the query string; none: all that no other parameter has. */
  properties: readonly string[];
}

/** How a parameter is written in a request, and the schema its value must fit. */
export interface ParameterPlan extends StylePlan {
  in: 'path' | 'query' | 'header' | 'cookie';
  name: string;
  required: boolean;
  /** The value, or each item of the array, is a number. */
  numeric: boolean;
  /** JSON pointer into the contract. */
  schema?: string;
  default?: unknown;
}

export interface BodyPlan {
  required: boolean;
  /** Holds for the bytes as sent and as unpacked. */
  maxBytes: number;
  gzip: boolean;
  media: readonly MediaPlan[];
}

export interface MediaPlan {
  /** In lower case, without parameters; a range such as `image/*` is possible. */
  type: string;
  kind: 'json' | 'form' | 'multipart' | 'items' | 'text' | 'binary';
  /** JSON pointer into the contract; of `items` that of each item. */
  schema?: string;
  /** The fields of a form that are written as more than plain texts. */
  fields?: readonly StylePlan[];
  /** What the contract says of the parts of a multipart body. */
  parts?: readonly PartPlan[];
}

/** The parts of one name in a `multipart/form-data` body. */
export interface PartPlan {
  name: string;
  kind: 'file' | 'json' | 'text';
  /** There may be several. */
  list: boolean;
  /** What a file may be, in lower case; a range such as `image/*` is possible. Left out: anything. */
  contentTypes?: readonly string[];
  /** Of a file. */
  maxBytes?: number;
  minBytes?: number;
}

/** Responses of one status (`201`), class (`4XX`) or all others (`default`), and their media types. */
export interface ResponsePlan {
  status: string;
  media: readonly string[];
  /** The headers, in lower case, whose objects are written as `name=value`. Left out: none. */
  exploded?: readonly string[];
  /** Left out: an error of this status has no shape of its own. */
  error?: ErrorPlan;
}

/** The body of an error as the contract documents it, and where in it stands what is known only when it happens. */
export interface ErrorPlan {
  /** Its media type. */
  type: string;
  /** Headers that the contract demands. */
  headers?: Readonly<Record<string, string>>;
  body: unknown;
  /** Paths into the body, of the sentence that says what was wrong. */
  sentence: readonly (readonly string[])[];
  /** Of the status. */
  status: readonly (readonly string[])[];
  /** Of what HTTP calls the status. */
  title: readonly (readonly string[])[];
}

/** What replies are checked by: the generated `replies.json`. */
export interface ReplyDocument {
  /** By the id of the operation. */
  operations: Readonly<Record<string, readonly ReplyPlan[]>>;
  /** The schemas, each where it stands in the contract. */
  schemas: object;
}

/** What the contract says of the replies of one status (`201`), class (`4XX`) or all others (`default`). */
export interface ReplyPlan {
  status: string;
  media: readonly ReplyMedia[];
  headers: readonly { name: string; required: boolean; schema?: string }[];
}

export interface ReplyMedia {
  /** In lower case, without parameters; a range such as `image/*` is possible. */
  type: string;
  /** `items`: a stream of values, each of which must fit the schema. */
  kind: 'json' | 'text' | 'binary' | 'items';
  /** JSON pointer into the schemas. */
  schema?: string;
}
