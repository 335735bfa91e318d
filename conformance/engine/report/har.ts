import { STATUS_CODES } from 'node:http';
import type { Entry, Har, Header, Page } from 'har-format';
import type { CaseResult, Exchange, Report } from '../result.ts';

/** All exchanges as an HTTP archive (HAR 1.2), which browsers and proxies show: a page for each case. */
export function harReport(report: Report): string {
  const { tool, startedAt, results } = report;
  const tried = results.filter(({ exchanges }) => exchanges.length > 0);
  const archive: Har = {
    log: {
      version: '1.2',
      creator: tool,
      pages: tried.map((result) => toPage(result, startedAt)),
      entries: tried.flatMap(({ id, exchanges }) => exchanges.map((exchange) => toEntry(id, exchange, startedAt))),
    },
  };
  return `${JSON.stringify(archive, null, 2)}\n`;
}

function toPage({ id, title, exchanges, state, problems = [] }: CaseResult, runStartedAt: string): Page {
  const [first] = exchanges;
  return {
    id,
    title: `${id}: ${title}`,
    startedDateTime: first?.startedAt ?? runStartedAt,
    pageTimings: {},
    comment: [state, ...problems].join(' · '),
  };
}

function toEntry(pageref: string, exchange: Exchange, runStartedAt: string): Entry {
  const { response, startedAt = runStartedAt } = exchange;
  const time = response?.milliseconds ?? 0;
  return {
    pageref,
    startedDateTime: startedAt,
    time,
    request: toRequest(exchange),
    response: toResponse(exchange),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  };
}

function toRequest({ request, response }: Exchange): Entry['request'] {
  const { method, url, headers, body, base64, truncated } = request;
  const text = base64 ?? body;
  const mimeType = findValue(headers, 'content-type');
  return {
    method,
    url,
    httpVersion: `HTTP/${response?.httpVersion ?? '1.1'}`,
    cookies: [],
    headers: headers.map(toHeader),
    queryString: URL.canParse(url) ? [...new URL(url).searchParams].map(toHeader) : [],
    ...(text === undefined ? {} : { postData: { mimeType, text, ...describeText({ base64, truncated }) } }),
    headersSize: -1,
    bodySize: text === undefined ? 0 : -1,
  };
}

/** An exchange without an answer has the status 0, as browsers write it. */
function toResponse({ response, problem }: Exchange): Entry['response'] {
  const { status = 0, httpVersion = '', headers = [], body = '', truncated } = response ?? {};
  const comment = problem === undefined ? {} : { comment: problem };
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: httpVersion === '' ? '' : `HTTP/${httpVersion}`,
    cookies: [],
    headers: headers.map(toHeader),
    content: {
      size: Buffer.byteLength(body),
      mimeType: findValue(headers, 'content-type'),
      text: body,
      ...describeText({ truncated }),
    },
    redirectURL: findValue(headers, 'location'),
    headersSize: -1,
    bodySize: -1,
    ...comment,
  };
}

function describeText({ base64, truncated }: { base64?: string | undefined; truncated?: true | undefined }): {
  comment?: string;
} {
  if (truncated === true) return { comment: 'Cut short.' };
  return base64 === undefined ? {} : { comment: 'In Base64.' };
}

function toHeader([name, value]: readonly [string, string]): Header {
  return { name, value };
}

function findValue(headers: readonly [string, string][], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}
