import { enableCompileCache } from 'node:module';

enableCompileCache();
const { default: fastify } = await import('fastify');
const app = fastify();
app.get('/', async () => ({}));
process.stdout.write(`listens on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
