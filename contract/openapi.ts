/** The few shapes of an OpenAPI 3.1 document that the generator reads. Everything else in it stays `unknown`. */

/** `{ "$ref": "#/…" }`: the generator accepts references inside the document only. */
export interface Reference {
  $ref: string;
}

/** A JSON Schema 2020-12. */
export type Schema = boolean | { [keyword: string]: unknown };

/** The fixed fields of a Path Item Object that hold operations, as glue can route them. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** One HTTP method in lower case, as OpenAPI writes it. */
export type Method = (typeof methods)[number];

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie';

export interface MediaTypeObject {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, Reference | { value?: unknown }>;
  /** How the fields of a form are written, by name. */
  encoding?: Record<string, { style?: string; explode?: boolean; contentType?: string }>;
  [field: string]: unknown;
}

export interface ParameterObject {
  name: string;
  in: ParameterLocation;
  required?: boolean;
  description?: string;
  schema?: Schema;
  content?: Record<string, MediaTypeObject>;
  style?: string;
  explode?: boolean;
  example?: unknown;
  examples?: Record<string, Reference | { value?: unknown }>;
  [field: string]: unknown;
}

export interface RequestBodyObject {
  description?: string;
  required?: boolean;
  content: Record<string, MediaTypeObject>;
  [field: string]: unknown;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, Reference | Omit<ParameterObject, 'name' | 'in'>>;
  content?: Record<string, MediaTypeObject>;
  [field: string]: unknown;
}

/** Scheme name → scopes; all the schemes of one requirement must succeed. */
export type SecurityRequirement = Record<string, string[]>;

export interface SecurityScheme {
  type: 'http' | 'apiKey' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  description?: string;
  scheme?: string;
  name?: string;
  in?: string;
  [field: string]: unknown;
}

export interface OperationObject {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  parameters?: (Reference | ParameterObject)[];
  requestBody?: Reference | RequestBodyObject;
  responses?: Record<string, Reference | ResponseObject>;
  security?: SecurityRequirement[];
  [field: string]: unknown;
}

export type PathItemObject = { [method in Method]?: OperationObject } & {
  $ref?: string;
  parameters?: (Reference | ParameterObject)[];
  [field: string]: unknown;
};

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; [field: string]: unknown };
  servers?: { url: string; [field: string]: unknown }[];
  paths?: Record<string, PathItemObject>;
  components?: {
    schemas?: Record<string, Schema>;
    securitySchemes?: Record<string, Reference | SecurityScheme>;
    [section: string]: unknown;
  };
  security?: SecurityRequirement[];
  [field: string]: unknown;
}
