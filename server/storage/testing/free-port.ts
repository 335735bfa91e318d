import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to connections, and to who listens on any: Linux begins at 32,768, others later. */
const [FIRST, COUNT] = [16_384, 16_384];

/**
 * A port of this machine that nobody listens on, for a program that can't choose one by itself. The system gives it to nobody else
 * meanwhile, nor while the program is restarted.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch {
      continue;
    }
    await once(server.close(), 'close');
    return port;
  }
}
