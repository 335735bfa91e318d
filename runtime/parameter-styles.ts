import { ContractError } from './contract-error.ts';
import { objectOf } from './own-properties.ts';
import type { ParameterPlan, StylePlan } from './plan.ts';

/** A value as the schema sees it before coercion: texts, lists of texts, or fields of texts. */
export type Deserialized = string | Deserialized[] | { [name: string]: Deserialized };

/** The query string, split but not yet decoded, since a delimiter may be part of a value only in encoded form. */
export type RawQuery = ReadonlyMap<string, readonly string[]>;

/**
 * Splits a query string (what follows `?`), or a form; names are decoded, values are not.
 *
 * @throws URIError where a name is not validly percent-encoded.
 */
export function splitQuery(text: string): RawQuery {
  const query = new Map<string, string[]>();
  for (const part of text.split('&')) {
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
 * @throws URIError where a value is not validly percent-encoded, ContractError of kind `too-large` where there are too many.
 */
export function readFromQuery(
  plan: StylePlan,
  query: RawQuery,
  claimed: ReadonlySet<string>,
): Deserialized | undefined {
  if (plan.style === 'deepObject') {
    const value = readDeepObject(plan, query);
    // What may also be a plain value ("" to clear it, say) may stand without brackets.
    if (value !== undefined || plan.shape === 'object') return value;
  }
  if (plan.shape === 'object' && plan.explode) return readExplodedObject(plan, query, claimed);
  const written = query.get(plan.key);
  const [first] = written ?? [];
  if (written === undefined || first === undefined) return undefined;
  if (plan.shape === 'array' && !plan.explode) return splitAll(written, plan.style);
  if (plan.shape === 'object') return pairUp(splitAll(written, plan.style));
  return plan.shape === 'array' || written.length > 1 ? written.map(decode) : decode(first);
}

/** More than fit the first line of a request; only a form can have them. */
const MOST_VALUES = 16_384;

function splitAll(texts: readonly string[], style: string): string[] {
  const values: string[] = [];
  for (const text of texts) {
    if (text !== '') values.push(...text.split(findDelimiter(text, style), MOST_VALUES + 1));
    if (values.length > MOST_VALUES)
      throw new ContractError('too-large', `A field must not have more than ${MOST_VALUES} values.`);
  }
  return values.map(decode);
}

/**
 * An encoded comma is part of a value, but only beside plain ones: `URLSearchParams` and its like, given a whole list as one
 * text, encode every comma.
 */
function findDelimiter(text: string, style: string): RegExp {
  if (style === 'spaceDelimited') return /%20|\+| /;
  if (style === 'pipeDelimited') return /%7C|\|/i;
  return text.includes(',') ? /,/ : /%2C/i;
}

/** Deeper than anyone means it. */
const mostLevels = 16;

/**
 * `filter[name]=x&filter[age]=3`
 *
 * OpenAPI leaves open what stands deeper; as everywhere, `a[b][c]` is a field of a field, and `a[]` or `a[0]`, `a[1]`, … are
 * the items of a list.
 */
function readDeepObject(plan: StylePlan, query: RawQuery): Deserialized | undefined {
  const prefix = `${plan.key}[`;
  const fields: Branch = new Map();
  for (const [name, texts] of query) {
    if (!name.startsWith(prefix) || !name.endsWith(']')) continue;
    const path = name.slice(prefix.length, -1).split('][', mostLevels + 1);
    if (path.length <= mostLevels) plant(fields, path, texts);
  }
  return fields.size === 0 ? undefined : toValue(fields);
}

type Branch = Map<string, Branch | readonly string[]>;

/** Where one name is both a text and the beginning of others, the first to come stands. */
function plant(branch: Branch, [name = '', ...rest]: readonly string[], texts: readonly string[]): void {
  const there = branch.get(name);
  if (rest.length === 0) {
    if (there === undefined) branch.set(name, texts);
    return;
  }
  const next: Branch = there instanceof Map ? there : new Map();
  if (there === undefined) branch.set(name, next);
  plant(next, rest, texts);
}

function toValue(branch: Branch): Deserialized {
  const names = [...branch.keys()];
  const values = [...branch.values()].map((value) => (value instanceof Map ? toValue(value) : decodeTexts(value)));
  if (names.length === 1 && names[0] === '') return values.flat();
  if (names.every((name, index) => name === `${index}`)) return values;
  return objectOf(names.map((name, index) => [name, values[index] ?? '']));
}

function decodeTexts([first = '', ...more]: readonly string[]): Deserialized {
  return more.length === 0 ? decode(first) : [first, ...more].map(decode);
}

/** `name=x&age=3` */
function readExplodedObject(plan: StylePlan, query: RawQuery, claimed: ReadonlySet<string>): Deserialized | undefined {
  const declared = plan.properties;
  const fields = [...query].filter(([name]) => (declared.length > 0 ? declared.includes(name) : !claimed.has(name)));
  return fields.length === 0 ? undefined : objectOf(fields.map(([name, texts]) => [name, decodeTexts(texts)]));
}

/** The value of a path, header or cookie parameter, whose text comes whole and decoded. */
export function readFromText(plan: ParameterPlan, text: string): Deserialized {
  const separator = plan.explode ? findExplodedSeparator(plan.style) : ',';
  const bare = removePrefix(plan, text);
  if (plan.shape === 'value' || plan.shape === 'json') return bare;
  const parts = bare === '' ? [] : bare.split(separator).map((part) => part.trim());
  if (plan.shape === 'array') return plan.style === 'matrix' && plan.explode ? parts.map(takeAfterEquals) : parts;
  return plan.explode ? objectOf(parts.map((part) => [takeBeforeEquals(part), takeAfterEquals(part)])) : pairUp(parts);
}

function findExplodedSeparator(style: string): string {
  return style === 'label' ? '.' : style === 'matrix' ? ';' : ',';
}

/** `.blue` (label) and `;color=blue` (matrix) begin with what is not part of the value. */
function removePrefix({ style, name, shape, explode }: ParameterPlan, text: string): string {
  if (style === 'label' && text.startsWith('.')) return text.slice(1);
  if (style !== 'matrix' || !text.startsWith(';')) return text;
  return explode && shape !== 'value' ? text.slice(1) : text.slice(1).replace(`${name}=`, '');
}

/** `R,100,G,200` → `{ R: '100', G: '200' }` */
function pairUp(parts: readonly string[]): Record<string, string> {
  return objectOf(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : [])));
}

function takeBeforeEquals(part: string): string {
  return part.includes('=') ? part.slice(0, part.indexOf('=')) : part;
}

function takeAfterEquals(part: string): string {
  return part.includes('=') ? part.slice(part.indexOf('=') + 1) : '';
}
