import { describe, expect, it } from 'vitest';
import { type Account, encodeBasic } from '../../service/account.ts';
import { listCredentials } from '../../service/credentials.ts';
import { Redactor } from './redactor.ts';

const account = { name: 'ci', secret: 's3:"cret/ü' };

function createRecord(apiKey?: string, known: Account = account): Redactor['record'] {
  const redactor = new Redactor(listCredentials({ baseUrl: '', workspace: '', accounts: [known], apiKey }));
  return (outgoing, outcome) => redactor.record(outgoing, outcome);
}

it('no secret comes into a report, wherever it stands and however it is written', () => {
  const record = createRecord('key-123');
  const everywhere = [
    account.secret,
    encodeBasic(account),
    encodeBasic({ name: 'other', secret: account.secret.slice(0, 5) }),
    encodeURIComponent(account.secret),
    'key-123',
  ].join(' ');
  const recorded = record(
    {
      method: 'POST',
      url: `http://127.0.0.1/${encodeURIComponent(account.secret)}?key=key-123`,
      headers: [
        ['Authorization', encodeBasic(account)],
        ['authorization', `${account.name}:${account.secret}`],
        ['authorization', encodeBasic({ ...account, secret: `${account.secret}x` })],
        ['api-key', 'key-123'],
        ['x-echo', account.secret],
      ],
      body: JSON.stringify({ echo: everywhere.slice(0, account.secret.length) }),
    },
    {
      answer: {
        status: 200,
        httpVersion: '1.1',
        headers: [['x-echo', `${account.secret} key-123`]],
        body: Buffer.from(JSON.stringify({ secret: account.secret, header: encodeBasic(account), key: 'key-123' })),
        milliseconds: 1,
      },
      problem: `broke at ${account.secret}`,
    },
  );
  const text = JSON.stringify(recorded);
  const forms = [account.secret, JSON.stringify(account.secret).slice(1, -1), encodeURIComponent(account.secret)];
  for (const form of [...forms, encodeBasic(account).slice(6), 'key-123']) expect(text).not.toContain(form);
  expect(recorded.request.headers[0]).toEqual(['Authorization', 'Basic <BRANCHLINE_ACCOUNT>']);
  expect(recorded.request.headers[3]).toEqual(['api-key', '<BRANCHLINE_API_KEY>']);
});

it('a long body is cut, and that is said', () => {
  const record = createRecord();
  const answer = { status: 200, httpVersion: '1.1', headers: [], body: Buffer.alloc(50_000, 'x'), milliseconds: 1 };
  const { response } = record({ method: 'GET', url: 'http://127.0.0.1/', headers: [] }, { answer });
  expect(response?.truncated).toBe(true);
  expect(response?.body.length).toBeLessThan(20_000);
});

it('a secret that was sent wrong on purpose does not come back in an answer', () => {
  const record = createRecord();
  const wrong = { ...account, secret: account.secret.slice(0, -1) };
  const body = Buffer.from(`You are ${wrong.name}, with ${wrong.secret} or ${encodeBasic(wrong)}.`);
  const answer = { status: 401, httpVersion: '1.1', headers: [], body, milliseconds: 1 };
  const { request, response } = record(
    { method: 'GET', url: 'http://127.0.0.1/', headers: [['authorization', encodeBasic(wrong)]] },
    { answer },
  );
  expect(request.headers).toEqual([['authorization', 'Basic <redacted>']]);
  expect(response?.body).toBe('You are ci, with <redacted> or Basic <redacted>.');
});

describe('a body of bytes that are no text', () => {
  const sent = (body: Uint8Array | string) =>
    createRecord('key-123')({ method: 'POST', url: 'http://127.0.0.1/', headers: [], body }, {}).request;

  it('can be sent again', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x22, 0x00]);
    expect(sent(bytes).base64).toBe(bytes.toString('base64'));
  });

  it('is only kept as text where it is text, or holds a secret in any encoding', () => {
    expect(sent(Buffer.from('{"name":"ü"}'))).not.toHaveProperty('base64');
    expect(sent('{"name":"\uD800"}')).not.toHaveProperty('base64');
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const bytes = Buffer.concat([Buffer.from('key-123', encoding), Buffer.from([0xff, 0xff])]);
      expect(sent(bytes)).not.toHaveProperty('base64');
    }
  });
});

it('a secret of words leaves other words whole', () => {
  const record = createRecord(undefined, { name: 'ci', secret: 'with:colons' });
  const wrong = encodeBasic({ name: 'ci', secret: 'with' });
  const body = Buffer.from('Refused without credentials, though sent with:colons.');
  const answer = { status: 401, httpVersion: '1.1', headers: [], body, milliseconds: 1 };
  const { response } = record(
    { method: 'GET', url: 'http://127.0.0.1/', headers: [['authorization', wrong]] },
    { answer },
  );
  expect(response?.body).toBe('Refused without credentials, though sent <redacted>.');
});

it('a secret does not stay in halves where a body is cut', () => {
  const long = { name: 'ci', secret: 'AZ09-'.repeat(13) };
  const record = createRecord(undefined, long);
  for (let before = 0; before < long.secret.length; before += 1) {
    const body = Buffer.from('.'.repeat(before) + long.secret.repeat(2_000));
    const answer = { status: 200, httpVersion: '1.1', headers: [], body, milliseconds: 1 };
    const { response } = record({ method: 'GET', url: 'http://127.0.0.1/', headers: [] }, { answer });
    expect(response?.body).not.toMatch(/[AZ09]/);
    expect(response?.truncated).toBe(true);
  }
});
