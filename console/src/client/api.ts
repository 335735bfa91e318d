import { createClient } from './generated/client.ts';

/** The API of this very server. The browser sends the session's cookie along. */
export const api = createClient({ baseUrl: '' });
