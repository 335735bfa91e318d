import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The least that a server of Node can be.
const server = createServer((_request, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
