import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before the rest is loaded: from the second start on it need not be compiled again. Node's own folder for that is one of the folder for
// temporary files, and of whichever user of the machine makes it first.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const { buildApp } = await import('./app.ts');

const port = Number(process.env['PORT'] ?? 3000);
const host = process.env['HOST'] ?? '127.0.0.1';

const app = await buildApp();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void app.close());
}
try {
  console.log(`Listening on ${await app.listen({ port, host })}`);
} catch (error) {
  console.error(`The server can not listen on port ${port}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
