import type { ParameterPlan } from './plan.ts';

/** A value as the schema sees it before coercion: texts, lists of texts, or fields of texts. */
export type Deserialized = string | string[] | Record<string, string | string[]>;

/** The query string, split but not yet decoded, since a delimiter may be part of a value only in encoded form. */
export type RawQuery = ReadonlyMap<string, readonly string[]>;

/**
 * Splits a query string; names are decoded, values are not.
 *
 * @throws URIError where a name is not validly percent-encoded.
 */
export function splitQuery(url: string): RawQuery {
  const query = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start === -1) return query;
  for (const part of url.slice(start + 1).split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? '' : part.slice(equals + 1);
    const earlier = query.get(name);
    if (earlier === undefined) query.set(name, [value]);
    else earlier.push(value);
  }
  return query;
}

/** @throws URIError where the text is not validly percent-encoded. */
export function decode(text: string): string {
  return text.includes('%') || text.includes('+') ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
}

/**
 * The value of a query parameter by its style; `undefined` if it is not there.
 *
 * @param claimed - The names of all query parameters of the operation.
 * @throws URIError where a value is not validly percent-encoded.
 */
export function fromQuery(
  plan: ParameterPlan,
  query: RawQuery,
  claimed: ReadonlySet<string>,
): Deserialized | undefined {
  if (plan.style === 'deepObject') return fromDeepObject(plan, query);
  if (plan.shape === 'object' && plan.explode) return fromExplodedObject(plan, query, claimed);
  const written = query.get(plan.key);
  const [first] = written ?? [];
  if (written === undefined || first === undefined) return undefined;
  if (plan.shape === 'array' && !plan.explode) return written.flatMap((text) => split(text, plan.style));
  if (plan.shape === 'object') return pairs(written.flatMap((text) => split(text, plan.style)));
  return plan.shape === 'array' || written.length > 1 ? written.map(decode) : decode(first);
}

function split(text: string, style: string): string[] {
  return text === '' ? [] : text.split(delimiterOf(text, style)).map(decode);
}

/**
 * An encoded comma is part of a value, but only beside plain ones: `URLSearchParams` and its like, given a whole list as one
 * text, encode every comma.
 */
function delimiterOf(text: string, style: string): RegExp {
  if (style === 'spaceDelimited') return /%20|\+| /;
  if (style === 'pipeDelimited') return /%7C|\|/i;
  return text.includes(',') ? /,/ : /%2C/i;
}

/** `filter[name]=x&filter[age]=3` */
function fromDeepObject(plan: ParameterPlan, query: RawQuery): Deserialized | undefined {
  const prefix = `${plan.key}[`;
  const fields = [...query].filter(([name]) => name.startsWith(prefix) && name.endsWith(']'));
  return fields.length === 0
    ? undefined
    : fieldsOf(fields.map(([name, texts]) => [name.slice(prefix.length, -1), texts]));
}

/** `name=x&age=3` */
function fromExplodedObject(
  plan: ParameterPlan,
  query: RawQuery,
  claimed: ReadonlySet<string>,
): Deserialized | undefined {
  const declared = plan.properties;
  const fields = [...query].filter(([name]) => (declared.length > 0 ? declared.includes(name) : !claimed.has(name)));
  return fields.length === 0 ? undefined : fieldsOf(fields);
}

function fieldsOf(fields: readonly (readonly [string, readonly string[]])[]): Record<string, string | string[]> {
  return Object.fromEntries(
    fields.map(([name, [first = '', ...more]]) => [
      name,
      more.length === 0 ? decode(first) : [first, ...more].map(decode),
    ]),
  );
}

/** The value of a path, header or cookie parameter, whose text comes whole and decoded. */
export function fromText(plan: ParameterPlan, text: string): Deserialized {
  const separator = plan.explode ? explodedSeparator(plan.style) : ',';
  const bare = withoutPrefix(plan, text);
  if (plan.shape === 'value' || plan.shape === 'json') return bare;
  const parts = bare === '' ? [] : bare.split(separator).map((part) => part.trim());
  if (plan.shape === 'array') return plan.style === 'matrix' && plan.explode ? parts.map(afterEquals) : parts;
  return plan.explode ? Object.fromEntries(parts.map((part) => [beforeEquals(part), afterEquals(part)])) : pairs(parts);
}

function explodedSeparator(style: string): string {
  return style === 'label' ? '.' : style === 'matrix' ? ';' : ',';
}

/** `.blue` (label) and `;color=blue` (matrix) begin with what is not part of the value. */
function withoutPrefix({ style, name, shape, explode }: ParameterPlan, text: string): string {
  if (style === 'label' && text.startsWith('.')) return text.slice(1);
  if (style !== 'matrix' || !text.startsWith(';')) return text;
  return explode && shape !== 'value' ? text.slice(1) : text.slice(1).replace(`${name}=`, '');
}

/** `R,100,G,200` → `{ R: '100', G: '200' }` */
function pairs(parts: readonly string[]): Record<string, string> {
  return Object.fromEntries(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : [])));
}

function beforeEquals(part: string): string {
  return part.includes('=') ? part.slice(0, part.indexOf('=')) : part;
}

function afterEquals(part: string): string {
  return part.includes('=') ? part.slice(part.indexOf('=') + 1) : '';
}
