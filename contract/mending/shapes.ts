import { methods } from '../openapi.ts';

/**
 * What a field holds: a plain value, an object of `OBJECTS` by its name, `[…` a list of something, or `{…` a map from names to it.
 * Where it is `any`, it is not looked into.
 */
export type Shape =
  | 'any'
  | 'count'
  | 'flag'
  | 'names'
  | 'number'
  | 'reference'
  | 'schema'
  | 'text'
  | `[${string}`
  | `{${string}`
  | (string & {});

const documented = { summary: 'text', description: 'text', externalDocs: 'link' };

/** The objects of OpenAPI, with the shapes of their fields; of a field that is not named here nothing is said. */
export const OBJECTS: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  document: {
    servers: '[server',
    paths: '{item',
    webhooks: '{item',
    components: 'components',
    security: '[requirement',
    tags: '[tag',
    externalDocs: 'link',
  },
  components: {
    schemas: '{schema',
    responses: '{response',
    parameters: '{parameter',
    examples: '{example',
    requestBodies: '{body',
    headers: '{header',
    securitySchemes: '{scheme',
    links: '{any',
    callbacks: '{any',
    pathItems: '{item',
  },
  server: { url: 'text', description: 'text', variables: '{variable' },
  variable: { default: 'text', description: 'text', enum: '[text' },
  tag: { name: 'text', description: 'text', externalDocs: 'link' },
  link: { url: 'text', description: 'text' },
  item: {
    ...documented,
    servers: '[server',
    parameters: '[parameter',
    ...Object.fromEntries([...methods, 'trace'].map((method) => [method, 'operation'])),
  },
  operation: {
    ...documented,
    operationId: 'text',
    deprecated: 'flag',
    tags: '[text',
    servers: '[server',
    parameters: '[parameter',
    requestBody: 'body',
    responses: '{response',
    callbacks: '{any',
    security: '[requirement',
  },
  parameter: {
    $ref: 'reference',
    name: 'text',
    description: 'text',
    required: 'flag',
    deprecated: 'flag',
    allowEmptyValue: 'flag',
    allowReserved: 'flag',
    explode: 'flag',
    style: 'text',
    schema: 'schema',
    content: '{media',
  },
  body: { $ref: 'reference', description: 'text', required: 'flag', content: '{media' },
  response: { $ref: 'reference', description: 'text', headers: '{header', content: '{media', links: '{any' },
  header: {
    $ref: 'reference',
    description: 'text',
    required: 'flag',
    deprecated: 'flag',
    explode: 'flag',
    schema: 'schema',
    content: '{media',
  },
  media: { schema: 'schema', encoding: '{encoding' },
  encoding: { contentType: 'text', style: 'text', explode: 'flag', allowReserved: 'flag', headers: '{header' },
  example: { $ref: 'reference', summary: 'text', description: 'text', externalValue: 'text' },
  requirement: {},
  scheme: { $ref: 'reference', description: 'text' },
  schema: {
    $ref: 'reference',
    $schema: 'text',
    $comment: 'text',
    title: 'text',
    description: 'text',
    format: 'text',
    pattern: 'text',
    nullable: 'flag',
    readOnly: 'flag',
    writeOnly: 'flag',
    deprecated: 'flag',
    uniqueItems: 'flag',
    multipleOf: 'number',
    minimum: 'number',
    maximum: 'number',
    ...Object.fromEntries(
      'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'
        .split(' ')
        .map((keyword) => [keyword, 'count']),
    ),
    ...Object.fromEntries(
      'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties'
        .split(' ')
        .map((keyword) => [keyword, 'schema']),
    ),
    required: 'names',
    enum: '[any',
    properties: '{schema',
    patternProperties: '{schema',
    dependentSchemas: '{schema',
    $defs: '{schema',
    definitions: '{schema',
    allOf: '[schema',
    anyOf: '[schema',
    oneOf: '[schema',
    prefixItems: '[schema',
    discriminator: 'discriminator',
    externalDocs: 'link',
    xml: 'xml',
  },
  discriminator: { propertyName: 'text', mapping: '{text' },
  xml: { name: 'text', namespace: 'text', prefix: 'text', attribute: 'flag', wrapped: 'flag' },
};
