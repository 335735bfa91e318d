import type { ParameterPlan, StylePlan } from './plan.ts';

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/**
 * A path parameter as it stands in the path, encoded.
 *
 * @throws TypeError where the text is empty: the path would be another one.
 */
export function pathText(plan: ParameterPlan, value: unknown): string {
  const text = pathStyle(plan, value);
  if (text === '') throw new TypeError(`The path parameter "${plan.name}" is empty.`);
  return text;
}

function pathStyle(plan: ParameterPlan, value: unknown): string {
  const { name, style, explode } = plan;
  if (plan.json === true) return encode(JSON.stringify(value));
  const parts = listParts(value, explode, encode);
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return parts.join(',');
  if (explode && isFields(value)) return parts.map((part) => `;${part}`).join('');
  if (explode) return parts.map((part) => `;${name}=${part}`).join('');
  return `;${name}=${parts.join(',')}`;
}

/** A query parameter, or a field of a form, as what stands between two `&`, encoded: none where there is nothing to say. */
export function queryTexts(plan: StylePlan, value: unknown): string[] {
  const { style, explode } = plan;
  const name = encodeURIComponent(plan.name);
  if (plan.json === true) return [`${name}=${encode(JSON.stringify(value))}`];
  if (style === 'deepObject' && typeof value === 'object' && value !== null) return deepTexts(plan.name, value);
  const parts = listParts(value, explode, encode);
  if (explode && isFields(value)) return parts;
  if (explode) return parts.map((part) => `${name}=${part}`);
  return [`${name}=${parts.join(DELIMITERS[style] ?? ',')}`];
}

/** The value of a header; HTTP encodes nothing in it. */
export function headerText(plan: ParameterPlan, value: unknown): string {
  return plan.json === true ? JSON.stringify(value) : listParts(value, plan.explode, String).join(',');
}

/** The value of a cookie, encoded. */
export function cookieText(plan: ParameterPlan, value: unknown): string {
  return plan.json === true ? encode(JSON.stringify(value)) : listParts(value, plan.explode, encode).join(',');
}

/** `filter[name]=x&filter[tags][0]=y`: OpenAPI leaves open what is deeper than one level; servers agree on this. */
function deepTexts(name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`${encodeURIComponent(name)}=${encode(toText(value))}`];
  return withoutAbsent(value).flatMap(([key, member]) => deepTexts(`${name}[${key}]`, member));
}

/** A value as the texts that stand between delimiters. */
function listParts(value: unknown, explode: boolean, encode: (text: string) => string): string[] {
  if (Array.isArray(value)) return value.map((item) => encode(toText(item)));
  if (!isFields(value)) return [encode(toText(value))];
  return withoutAbsent(value).flatMap(([name, member]) => {
    const texts = [encode(name), encode(toText(member))];
    return explode ? [texts.join('=')] : texts;
  });
}

function withoutAbsent(value: object): [name: string, value: unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is structured where only texts fit is written as JSON; nothing is an empty text. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function encode(text: string): string {
  return encodeURIComponent(text);
}
