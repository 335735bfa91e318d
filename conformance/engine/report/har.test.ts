import type { Entry, Har } from 'har-format';
import { expect, it } from 'vitest';
import { harReport } from './har.ts';
import { EXCHANGE, realReport, report, result } from './testing/reports.ts';

function read(text: string): Har['log'] {
  return (JSON.parse(text) as Har).log;
}

it('an archive has every exchange of a run once, at its time, below its case', async () => {
  const before = Date.now();
  const run = await realReport({}, { selection: { only: ['creation/', 'export/'] } });
  const { pages = [], entries, version } = read(harReport(run));
  expect(version).toBe('1.2');
  const tried = run.results.filter(({ exchanges }) => exchanges.length > 0);
  expect(pages.map(({ id }) => id)).toEqual(tried.map(({ id }) => id));
  const told = ({ request, response, pageref }: Entry) => [pageref, request.method, request.url, response.status];
  expect(entries.map(told)).toEqual(
    tried.flatMap(({ id, exchanges }) =>
      exchanges.map(({ request, response }) => [id, request.method, request.url, response?.status]),
    ),
  );
  for (const { startedDateTime, time, timings } of entries) {
    expect(Date.parse(startedDateTime)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(startedDateTime)).toBeLessThanOrEqual(Date.now());
    expect(timings).toEqual({ send: 0, wait: time, receive: 0 });
  }
});

it('a request and its answer are told whole', () => {
  const request = { ...EXCHANGE.request, url: `${EXCHANGE.request.url}?q=a%20b&q=c` };
  const [entry] = read(harReport(report([result({ exchanges: [{ ...EXCHANGE, request }] })]))).entries;
  expect(entry).toMatchObject({
    pageref: 'creation/url',
    time: 7,
    request: {
      method: 'POST',
      httpVersion: 'HTTP/1.1',
      headers: expect.arrayContaining([{ name: 'content-type', value: 'application/json' }]),
      queryString: [
        { name: 'q', value: 'a b' },
        { name: 'q', value: 'c' },
      ],
      postData: { mimeType: 'application/json', text: '{"name":"a-branch"}' },
    },
    response: { status: 500, statusText: 'Internal Server Error', content: { size: 5, text: 'Oops.' } },
  });
});

it('bytes, what was cut, and a request without an answer are said to be so', () => {
  const { url, method } = EXCHANGE.request;
  const bytes = { request: { method, url, headers: [], body: '\uFFFD', base64: '/w==' }, problem: 'It broke off.' };
  const cut = { ...EXCHANGE, response: { ...EXCHANGE.response, status: 200, truncated: true as const } };
  const exchanges = [
    bytes,
    { ...cut, response: { ...cut.response, httpVersion: '2.0', headers: [], body: 'x', milliseconds: 1 } },
  ];
  const { entries } = read(harReport(report([result({ exchanges })])));
  expect(
    entries.map(({ request, response }) => [
      request.postData,
      response.status,
      response.comment,
      response.content.comment,
    ]),
  ).toEqual([
    [{ mimeType: '', text: '/w==', comment: 'In Base64.' }, 0, 'It broke off.', undefined],
    [expect.objectContaining({ text: '{"name":"a-branch"}' }), 200, undefined, 'Cut short.'],
  ]);
});
