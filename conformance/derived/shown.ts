import type { HttpResponse } from '@branchline/contract';
import type { Authentication } from './credentials.ts';
import type { HttpRequest } from './exchange.ts';
import type { ShownExchange } from './result.ts';

const limit = 4096;

/** Makes an exchange fit for a report: every credential that went out is replaced, wherever it stands. */
export function shown(request: HttpRequest, authentication: Authentication, response?: HttpResponse): ShownExchange {
  const secrets = [authentication.headers, authentication.query, authentication.cookies]
    .flatMap((part) => Object.values(part))
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const redacted = (text: string): string =>
    secrets.reduce((clean, secret) => clean.replaceAll(secret, '<redacted>'), text);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, redacted(value)]);
  return {
    request: {
      method: request.method,
      url: redacted(request.url),
      headers: Object.fromEntries(headers),
      body: request.body === undefined ? undefined : excerpt(request.body),
    },
    ...(response === undefined
      ? {}
      : { response: { ...response, body: excerpt(redacted(Buffer.from(response.body).toString('utf8'))) } }),
  };
}

function excerpt(text: string): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
