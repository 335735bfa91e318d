import { connect } from 'node:net';

/** Lines of a header, from a flat list (`[name, value, name, value]`). */
export function headerLines(flat: readonly string[]): string {
  return flat.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
}

/** Sends a text to the server of an origin as it is; what comes back until the connection ends. */
export function rawRequest(origin: string, text: string): Promise<string> {
  const { hostname: host, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ host, port: Number(port) }, () => socket.write(text));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
