import type {
  Method,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  RequestBodyObject,
  ResponseObject,
  SecurityRequirement,
  SecurityScheme,
} from './openapi.ts';

/** One thing that is wrong in a spec. */
export interface SpecProblem {
  position: Position;
  /** What is wrong and what to do about it. */
  sentence: string;
}

/** A place in the text of the spec; both count from 1. */
export interface Position {
  /** Where it is another file than that of the spec. */
  file?: string;
  line: number;
  column: number;
}

/** Something of the document together with the JSON pointer (`/paths/~1x/post`, no `#`) where it is really written. */
export interface Located<T> {
  pointer: string;
  value: T;
}

/** A response of an operation. `status` is as documented: `201`, `4XX` or `default`. */
export interface DocumentedResponse extends Located<ResponseObject> {
  status: string;
}

/** One operation of the contract, with the references on its own level (not in schemas) resolved. */
export interface Operation {
  /** A valid TypeScript identifier, unique in the contract: from `operationId`, or from method and path. */
  id: string;
  method: Method;
  /** The path template as written: `/workspaces/{workspaceId}/branches/v1`. */
  path: string;
  /** JSON pointer of the operation object. */
  pointer: string;
  /** The operation object as it stands in the document, with all `x-` extensions. */
  definition: OperationObject;
  /** Those of the path item and of the operation; the operation's win. */
  parameters: readonly Located<ParameterObject>[];
  requestBody: Located<RequestBodyObject> | undefined;
  responses: readonly DocumentedResponse[];
  /** What really applies: the operation's own, or the document's. Empty: no security. */
  security: readonly SecurityRequirement[];
}

/** A checked contract: everything a target needs to know about the spec. */
export interface Contract {
  /** OpenAPI 3.1; a 3.0 spec has been upgraded. References inside it are kept, and all of them lead somewhere. */
  document: OpenApiDocument;
  /** The spec's file name, without folders, for the headers of generated files. */
  source: string;
  /** SHA-256 of the spec's bytes, in hexadecimal. */
  sha256: string;
  /** What it was read from: the SHA-256 of each file by its path. */
  files: ReadonlyMap<string, string>;
  /** In the order of the document. */
  operations: readonly Operation[];
  /** Security schemes by name. */
  securitySchemes: ReadonlyMap<string, SecurityScheme>;
  /** Follows references until it meets something that is none. */
  resolve<T>(value: T | Reference): T;
  /** Where a JSON pointer of `document`, or its nearest ancestor that the spec wrote, stands in the text. */
  locate(pointer: string): Position;
  /** What is wrong in it, and hurts nobody. */
  warnings: readonly SpecProblem[];
  /** Adds a warning about what stands at a pointer. */
  warn(pointer: string, sentence: string): void;
}
