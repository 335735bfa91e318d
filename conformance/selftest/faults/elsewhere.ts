import { correct } from '../service/behaviour.ts';
import { type Fault, onReply } from '../fault.ts';
import { admits, MISSING } from './authentication.ts';

/** Lets in calls with good credentials in another header. */
const byHeader = (header: string): Fault =>
  admits(`${header}-header`, `good credentials in the header ${header}`, MISSING, (call) => {
    const authorization = String(call.headers[header]);
    return correct.accountOf({ ...call, headers: { authorization } }) !== undefined;
  });

/** Lets in calls with good credentials in the query, under this name. */
const byQuery = (parameter: string): Fault =>
  admits(`query-${parameter}`, `good credentials in the query as ${parameter}`, MISSING, (call) => {
    const authorization = new URL(call.url, 'http://localhost').searchParams.get(parameter) ?? '';
    return correct.accountOf({ ...call, headers: { authorization } }) !== undefined;
  });

/** Who may call without the header. */
export const elsewhere: readonly Fault[] = [
  byHeader('x-api-key'),
  byHeader('x-authorization'),
  byHeader('proxy-authorization'),
  byQuery('authorization'),
  byQuery('Authorization'),
  admits('cookie-with-credentials', 'good credentials in a cookie', MISSING, (call) => {
    const [, sent = ''] = /\bauthorization=([^;]+)/.exec(call.headers.cookie ?? '') ?? [];
    return correct.accountOf({ ...call, headers: { authorization: decodeURIComponent(sent) } }) !== undefined;
  }),
  {
    name: 'admits-cookie-of-its-own',
    does: 'sets a cookie, and admits whoever sends it back',
    breaks: MISSING,
    change: () => ({
      ...admits('', '', MISSING, ({ headers }) => /\bsession=let-in\b/.test(headers.cookie ?? '')).change(),
      ...onReply('created', ({ headers }) => ({ headers: { ...headers, 'set-cookie': 'session=let-in; Path=/' } })),
    }),
  },
];
