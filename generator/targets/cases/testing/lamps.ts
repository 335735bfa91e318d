const problem = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
  description: '',
};

/** A small contract that holds a little of everything that cases are derived from. */
export const lamps = {
  openapi: '3.1.0',
  info: { title: 'Lamps', version: '1' },
  security: [{ account: [] }],
  paths: {
    '/lamps': {
      get: {
        operationId: 'listLamps',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 10 } },
          {
            name: 'colours',
            in: 'query',
            style: 'form',
            explode: false,
            schema: { type: 'array', maxItems: 2, items: { enum: ['red', 'blue'] } },
          },
          {
            name: 'x-trace',
            in: 'header',
            required: true,
            schema: { type: 'string', pattern: '^[a-f0-9]{4}$' },
            example: 'beef',
          },
          {
            name: 'cursor',
            in: 'query',
            'x-branchline-issued': 'From the page before.',
            schema: { type: 'string', maxLength: 20 },
          },
        ],
        responses: {
          200: { description: '', content: { 'application/json': { schema: { type: 'array' } } } },
          400: problem,
          401: problem,
          405: problem,
        },
      },
      post: {
        operationId: 'createLamp',
        requestBody: {
          required: true,
          'x-branchline-max-body-bytes': 2000,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewLamp' } } },
        },
        responses: {
          201: {
            description: '',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/NewLamp' } } },
          },
          400: problem,
          401: problem,
          405: problem,
          415: problem,
        },
      },
    },
    '/lamps/{lampId}': {
      delete: {
        operationId: 'deleteLamp',
        parameters: [{ name: 'lampId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
        responses: { 204: { description: '' }, 401: problem, 404: problem },
      },
    },
    '/health': { get: { operationId: 'health', security: [], responses: { 204: { description: '' } } } },
    '/notes': {
      post: {
        operationId: 'createNote',
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                properties: { text: { const: 'a b' }, tags: { type: 'array', items: { const: 'x' } } },
              },
            },
            'multipart/form-data': { schema: { type: 'object', properties: { text: { const: 'a b' } } } },
            'text/plain': { example: 'Buy a lamp.' },
          },
        },
        responses: { 204: { description: '' }, 400: problem, 415: problem },
      },
    },
    '/upload': {
      post: {
        operationId: 'upload',
        requestBody: { required: true, content: { 'image/png': {} } },
        responses: { 204: { description: '' } },
      },
    },
  },
  components: {
    securitySchemes: { account: { type: 'http', scheme: 'basic' } },
    schemas: {
      NewLamp: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 8, pattern: '^[a-z]+$', examples: ['lamp'] },
          note: { type: 'string', maxLength: 5000 },
          watts: { type: 'integer', exclusiveMinimum: 0, maximum: 100 },
          parts: {
            type: 'array',
            maxItems: 3,
            'x-branchline-each': 'A bad part is left out.',
            items: { $ref: '#/components/schemas/Part' },
          },
        },
      },
      Part: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      Problem: {
        type: 'object',
        required: ['error'],
        properties: { error: { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
};
