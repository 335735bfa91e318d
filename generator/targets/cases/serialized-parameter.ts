import { type CaseRequest, isJsonObject, type Json, type ParameterObject } from '@branchline/contract';

/** A parameter's value as it travels, and as the server reads it before it converts types. */
export interface Carried {
  request: Pick<CaseRequest, 'path' | 'query' | 'headers'>;
  read: Json;
}

/**
 * Writes a parameter's value down in its `style`, raw (the runner percent-encodes). `undefined` where the value cannot
 * travel as itself there: `null`, an empty array, a dot segment of a path, a separator inside a list, control
 * characters in a header.
 */
export function carry(parameter: ParameterObject, value: Json): Carried | undefined {
  if (parameter.content !== undefined) return placed(parameter, JSON.stringify(value), value);
  if (Array.isArray(value)) return list(parameter, value);
  if (isJsonObject(value)) return fields(parameter, value);
  const text = textOf(value);
  return text === undefined ? undefined : placed(parameter, text, text);
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function list(parameter: ParameterObject, value: Json[]): Carried | undefined {
  const texts = value.map(textOf).filter((text) => text !== undefined);
  if (texts.length === 0 || texts.length < value.length) return undefined;
  const { style = defaultStyle(parameter) } = parameter;
  if (parameter.in === 'query' && (parameter.explode ?? style === 'form')) return placed(parameter, texts, texts);
  const separator = separators[style] ?? ',';
  if (texts.some((text) => text.includes(separator) || text === '')) return undefined;
  return placed(parameter, texts.join(separator), texts);
}

function fields(parameter: ParameterObject, value: { [name: string]: Json }): Carried | undefined {
  if (parameter.in !== 'query') return undefined;
  const texts = Object.entries(value).map(([name, field]) => [name, textOf(field)] as const);
  if (texts.length === 0 || texts.some(([, text]) => text === undefined)) return undefined;
  const read = Object.fromEntries(texts.map(([name, text = '']) => [name, text]));
  if (parameter.style === 'deepObject') {
    const query = Object.fromEntries(Object.entries(read).map(([name, text]) => [`${parameter.name}[${name}]`, text]));
    return { request: { query }, read };
  }
  return parameter.explode === false ? undefined : { request: { query: read }, read };
}

function defaultStyle(parameter: ParameterObject): string {
  return parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple';
}

function textOf(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

const headerValue = /^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/;

function placed(parameter: ParameterObject, text: string | string[], read: Json): Carried | undefined {
  const { name } = parameter;
  if (parameter.in === 'query') return { request: { query: { [name]: text } }, read };
  if (Array.isArray(text)) return undefined;
  if (parameter.in === 'path')
    return isSegment(parameter, text) ? { request: { path: { [name]: text } }, read } : undefined;
  if (parameter.in === 'cookie')
    return { request: { headers: { cookie: `${name}=${encodeURIComponent(text)}` } }, read };
  return headerValue.test(text) ? { request: { headers: { [name.toLowerCase()]: text } }, read } : undefined;
}

/** Clients and proxies resolve dot segments; the styles `label` and `matrix` are not written. */
function isSegment({ style = 'simple' }: ParameterObject, text: string): boolean {
  return style === 'simple' && !['', '.', '..'].includes(text);
}
