import { randomBytes, randomInt } from 'node:crypto';
import type { JsonObject } from '@branchline/contract';
import type { CapturedRequest } from './captured-request.ts';
import type { TypedJson } from './driver.ts';

/** Properties with values that occur nowhere else, and their schema. */
export interface CanaryEvent {
  readonly properties: TypedJson;
  readonly schema: readonly JsonObject[];
  readonly canaries: readonly string[];
}

/** Makes properties whose values can be recognized wherever they show up. */
export function createCanaryEvent(): CanaryEvent {
  const text = word();
  const email = word();
  const nested = word();
  const [first, second] = [word(), word()];
  const whole = digits(15);
  const fraction = `${digits(5)}.${digits(6)}`;
  const properties = map({
    productName: { string: text },
    email: { string: `${email}+tag@canary.example` },
    orderNumber: { long: whole },
    price: { double: fraction },
    isGift: { boolean: true },
    coupon: { null: true },
    tags: { list: [{ string: first }, { string: second }] },
    customer: map({ nickname: { string: nested }, age: { int: '42' } }),
  });
  const schema = [
    { name: 'productName', type: 'string' },
    { name: 'email', type: 'string' },
    { name: 'orderNumber', type: 'int' },
    { name: 'price', type: 'float' },
    { name: 'isGift', type: 'boolean' },
    { name: 'coupon', type: 'null' },
    { name: 'tags', type: 'list', items: [{ type: 'string' }] },
    {
      name: 'customer',
      type: 'object',
      properties: [
        { name: 'nickname', type: 'string' },
        { name: 'age', type: 'int' },
      ],
    },
  ];
  return { properties, schema, canaries: [text, email, whole, fraction, first, second, nested] };
}

/** A map as typed JSON. */
export function map(entries: Readonly<Record<string, TypedJson>>): TypedJson {
  return { map: Object.entries(entries).map(([key, value]) => [{ string: key }, value]) };
}

/** Where a canary shows up in a request, as a sentence for each; in whatever encoding it is looked for. */
export function findLeaks(captured: CapturedRequest, canaries: ReadonlySet<string>): string[] {
  const others = [...canaries].filter((canary) => !WHOLE.test(canary));
  const places: [string, string][] = [
    ['the URL', captured.url],
    ['the headers', captured.headers.map((pair) => pair.join(': ')).join('\n')],
    ['the body', captured.body.toString('latin1')],
    ['the body', captured.text],
  ];
  const found = places.flatMap(([place, text]) => {
    const readings = listDecodings(text, 2);
    const shown = readings.flatMap((reading) => [
      ...[...reading.matchAll(MADE)].map(([, canary = '']) => canary).filter((canary) => canaries.has(canary)),
      ...others.filter((canary) => reading.includes(canary)),
    ]);
    return shown.map((canary) => `A value of a property ("${canary}") is in ${place}.`);
  });
  return [...new Set(found)];
}

/** What the canaries that are made here look like; one look finds any of them. */
const FORM = String.raw`canary[\da-f]{12}|\d{15}|\d{5}\.\d{6}`;
const MADE = new RegExp(`(?=(${FORM}))`, 'g');
const WHOLE = new RegExp(`^(${FORM})$`);

/** A text, and what comes out of it when its parts are decoded. */
function listDecodings(text: string, depth: number): string[] {
  if (depth === 0) return [text];
  const decoded = [
    percentDecoded(text),
    unescapeText(text),
    ...decodedRuns(text, /[\dA-Fa-f]{16,}/g, 'hex', 2),
    ...decodedRuns(text, /[\w+/-]{12,}/g, 'base64', 4),
  ].filter((reading) => reading !== text);
  // The runs by themselves are short; together they are read in one go.
  return [text, ...listDecodings(decoded.join('\n'), depth - 1)];
}

/** What stands before an encoded value may look like a part of it, so each place in a group of digits may be its begin. */
function decodedRuns(text: string, runs: RegExp, encoding: 'hex' | 'base64', group: number): string[] {
  return (text.match(runs) ?? []).flatMap((run) =>
    Array.from({ length: group }, (_, from) => Buffer.from(run.slice(from), encoding).toString('utf8')),
  );
}

function percentDecoded(text: string): string {
  return text.replaceAll(/(%[\dA-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function unescapeText(text: string): string {
  return text.replaceAll(/\\u([\dA-Fa-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function word(): string {
  return `canary${randomBytes(6).toString('hex')}`;
}

/** Neither the first nor the last is 0, so that no way to write the number changes them. */
function digits(count: number): string {
  return Array.from({ length: count }, () => randomInt(1, 10)).join('');
}
