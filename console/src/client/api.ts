import { createClient } from './generated/client.ts';

/** The API of this server. The browser sends the session cookie with each request. */
export const api = createClient({ baseUrl: '' });
