import type { Exchange } from '../../result.ts';
import { buildCurl } from '../curl.ts';
import { type Markup, html } from './markup.ts';

/** A longer body is folded. */
const SHORT = 1_000;
/** Longer than this, a body is cut: the JSON report has more of it. */
const MAX_BODY = 4_000;

/** What went to and fro, and a command that sends it again. */
export function exchangeSection(exchange: Exchange): Markup {
  const { request, response, problem } = exchange;
  const ending = response === undefined ? (problem ?? '') : `${response.status}, ${response.milliseconds} ms`;
  return html`<details class="exchange">
    <summary>${request.method} <span class="url">${request.url}</span> → ${ending}</summary>
    ${requestBlock(exchange)}
    ${
      response === undefined
        ? undefined
        : html`<h4>Response</h4>
            <pre>
HTTP/${response.httpVersion} ${response.status}
${headerLines(response.headers)}</pre>
            ${bodyBlock(response.body, response.truncated)}`
    }
    ${problem === undefined ? undefined : html`<p class="problem">${problem}</p>`}
  </details>`;
}

/** A command says all that there is to know of a request. */
function requestBlock(exchange: Exchange): Markup {
  const { request } = exchange;
  const curl = buildCurl(exchange);
  if (curl !== undefined)
    return html`<h4>To send it again</h4>
      ${curl.notes.map((note) => html`<p class="note">${note}</p>`)}
      <pre class="curl"><code>${curl.command}</code></pre>`;
  return html`<h4>Request</h4>
    <pre>
${request.method} ${request.url}
${headerLines(request.headers)}</pre>
    ${bodyBlock(request.body, request.truncated)}`;
}

function headerLines(headers: readonly [string, string][]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function bodyBlock(body: string | undefined, truncated: boolean | undefined): Markup | undefined {
  if (body === undefined || body === '') return undefined;
  const isCut = truncated === true || body.length > MAX_BODY;
  const cut = isCut ? html`<p class="note">The body went on; the report holds its begin.</p>` : undefined;
  const block = html`<pre class="body">${body.slice(0, MAX_BODY)}</pre>
    ${cut}`;
  if (body.length <= SHORT) return block;
  return html`<details>
    <summary>Body, ${body.length} characters</summary>
    ${block}
  </details>`;
}
