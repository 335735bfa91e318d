import { isJsonObject, type Json } from '../json.ts';
import type { ParameterObject } from '../openapi.ts';
import type { CaseRequest } from './case.ts';

/** A parameter's value as it travels, and as the server reads it before it converts types. */
export interface SerializedParameter {
  request: Pick<CaseRequest, 'path' | 'query' | 'headers'>;
  read: Json;
}

/**
 * Writes a parameter's value down in its `style`, raw (the runner percent-encodes). `undefined` where the value cannot
 * travel as itself there: `null`, an empty array, a dot segment of a path, a separator inside a list, control
 * characters in a header.
 */
export function serializeParameter(parameter: ParameterObject, value: Json): SerializedParameter | undefined {
  if (parameter.content !== undefined) return placeText(parameter, JSON.stringify(value), value);
  if (Array.isArray(value)) return serializeList(parameter, value);
  if (isJsonObject(value)) return serializeFields(parameter, value);
  const text = toText(value);
  return text === undefined ? undefined : placeText(parameter, text, text);
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function serializeList(parameter: ParameterObject, value: Json[]): SerializedParameter | undefined {
  const texts = value.map(toText).filter((text) => text !== undefined);
  if (texts.length === 0 || texts.length < value.length) return undefined;
  const { style = findDefaultStyle(parameter) } = parameter;
  if (parameter.in === 'query' && (parameter.explode ?? style === 'form')) return placeText(parameter, texts, texts);
  const separator = separators[style] ?? ',';
  if (texts.some((text) => text.includes(separator) || text === '')) return undefined;
  return placeText(parameter, texts.join(separator), texts);
}

function serializeFields(parameter: ParameterObject, value: { [name: string]: Json }): SerializedParameter | undefined {
  if (parameter.in !== 'query') return undefined;
  const texts = Object.entries(value).map(([name, field]) => [name, toText(field)] as const);
  if (texts.length === 0 || texts.some(([, text]) => text === undefined)) return undefined;
  const read = Object.fromEntries(texts.map(([name, text = '']) => [name, text]));
  if (parameter.style === 'deepObject') {
    const query = Object.fromEntries(Object.entries(read).map(([name, text]) => [`${parameter.name}[${name}]`, text]));
    return { request: { query }, read };
  }
  return parameter.explode === false ? undefined : { request: { query: read }, read };
}

function findDefaultStyle(parameter: ParameterObject): string {
  return parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple';
}

function toText(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

const headerValue = /^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/;

function placeText(parameter: ParameterObject, text: string | string[], read: Json): SerializedParameter | undefined {
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
