/** The two documented operations, with nothing that the documents leave open: what a schema-driven tool can know. */
export const documentedContract = {
  openapi: '3.1.0',
  info: { title: 'Branch Management HTTP API', version: '1' },
  security: [{ serviceAccount: [] }],
  paths: {
    '/workspaces/{workspaceId}/branches/v1': {
      parameters: [{ $ref: '#/components/parameters/WorkspaceId' }],
      post: {
        operationId: 'createBranch',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string', pattern: '^[a-z0-9-]+$', minLength: 1 } },
              },
            },
          },
        },
        responses: {
          '201': json('The branch was created.', {
            type: 'object',
            required: ['branchId', 'branchName', 'branchUrl'],
            properties: {
              branchId: { type: 'string' },
              branchName: { type: 'string' },
              branchUrl: { type: 'string', pattern: '^https://[^/]+/schemas/[^/]+/branches/[^/]+$' },
            },
          }),
          '400': error('The name or the body is invalid.', {
            pattern: '^Invalid branch name, try "[a-z0-9-]+" instead$',
          }),
          '401': error('The authorization header is missing or invalid.', { const: 'Unauthorized' }),
          '409': error('An open branch has this name.', { const: 'Branch with this name already exists' }),
          '429': { description: 'Not shown, so anything.' },
        },
      },
    },
    '/workspaces/{workspaceId}/branches/export/v1': {
      parameters: [{ $ref: '#/components/parameters/WorkspaceId' }],
      get: {
        operationId: 'exportBranchStats',
        responses: {
          '2XX': { description: 'A CSV string; neither status nor media type is shown.' },
          '3XX': { description: 'Not shown, so anything.' },
          '4XX': { description: 'Not shown, so anything.' },
        },
      },
    },
  },
  components: {
    parameters: { WorkspaceId: { name: 'workspaceId', in: 'path', required: true, schema: { type: 'string' } } },
    securitySchemes: { serviceAccount: { type: 'http', scheme: 'basic' } },
  },
};

/** The media type of answers is not shown either. */
function json(description: string, schema: Record<string, unknown>) {
  return { description, content: { '*/*': { schema } } };
}

function error(description: string, sentence: Record<string, unknown>) {
  return json(description, {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string', ...sentence } },
  });
}
