import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** Asks for a path, and waits until the answer begins. */
export async function openResponse(address: string, path: string): Promise<IncomingMessage> {
  const request = get(`${address}${path}`);
  const [response]: IncomingMessage[] = await once(request, 'response');
  request.on('error', () => {});
  if (response === undefined) throw new Error('There was no response.');
  return response;
}
