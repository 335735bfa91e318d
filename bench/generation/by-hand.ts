import fastify from 'fastify';

// What `things.yaml` describes, by hand: the same schemas, for replies too, as Fastify wants them; and the same log.
const app = fastify({ logger: { level: 'info' } });

const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' } },
};

app.get<{ Params: { id: string } }>(
  '/things/:id',
  {
    schema: {
      params: { type: 'object', properties: { id: { type: 'string', minLength: 1, maxLength: 36 } } },
      querystring: { type: 'object', properties: { limit: { type: 'integer', minimum: 1, maximum: 100 } } },
      response: { 200: thing },
    },
  },
  async ({ params }) => ({ id: params.id, name: 'a thing' }),
);

app.post<{ Body: { name: string } }>(
  '/things',
  {
    schema: {
      body: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: { name: { type: 'string', minLength: 1, maxLength: 255 } },
      },
      response: { 201: thing },
    },
  },
  async ({ body }, reply) => reply.code(201).send({ id: 'new', name: body.name }),
);

process.stdout.write(`listens on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
