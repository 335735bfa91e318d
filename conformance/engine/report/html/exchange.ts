import type { Exchange } from '../../result.ts';
import { buildCurl } from '../curl.ts';
import { type Markup, html } from './markup.ts';

/** A longer body is folded. */
const SHORT = 1_000;

/** What went to and fro, and a command that sends it again. */
export function exchangeSection(exchange: Exchange, index: number): Markup {
  const { request, response, problem } = exchange;
  const ending = response === undefined ? (problem ?? '') : `${response.status}, ${response.milliseconds} ms`;
  return html`<details class="exchange">
    <summary>${index + 1}. ${request.method} <span class="url">${request.url}</span> → ${ending}</summary>
    <h4>Request</h4>
    <pre>
${request.method} ${request.url}
${headerLines(request.headers)}</pre>
    ${bodyBlock(request.body, request.truncated)}
    ${
      response === undefined
        ? undefined
        : html`<h4>Response</h4>
            <pre>
HTTP/${response.httpVersion} ${response.status}
${headerLines(response.headers)}</pre>
            ${bodyBlock(response.body, response.truncated)}`
    }
    ${problem === undefined ? undefined : html`<p class="problem">${problem}</p>`} ${curlBlock(exchange)}
  </details>`;
}

function headerLines(headers: readonly [string, string][]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function bodyBlock(body: string | undefined, truncated: boolean | undefined): Markup | undefined {
  if (body === undefined || body === '') return undefined;
  const cut = truncated === true ? html`<p class="note">The body went on; the report holds its begin.</p>` : undefined;
  const block = html`<pre class="body">${body}</pre>
    ${cut}`;
  if (body.length <= SHORT) return block;
  return html`<details>
    <summary>Body, ${body.length} characters</summary>
    ${block}
  </details>`;
}

function curlBlock(exchange: Exchange): Markup | undefined {
  const curl = buildCurl(exchange);
  if (curl === undefined) return undefined;
  return html`<h4>To send it again</h4>
    ${curl.note === undefined ? undefined : html`<p class="note">${curl.note}</p>`}
    <pre class="curl"><code>${curl.command}</code></pre>`;
}
