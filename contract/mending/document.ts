import { isObject } from '../pointers.ts';
import type { Fields, Warn } from './fault.ts';

/** Mends what the head of a document lacks, or has without quotes. */
export function mendHead(document: Fields, warn: Warn): void {
  const { openapi } = document;
  if (/^3(?:\.[01])?$/.test(String(openapi))) {
    document['openapi'] = String(openapi) === '3' ? '3.0.0' : `${String(openapi)}.0`;
    warn('/openapi', `The field "openapi" should name a whole version, in quotes: "${String(document['openapi'])}".`);
  }
  if (!isObject(document['info'])) {
    document['info'] = {};
    warn('/info', 'The document lacks "info", with "title" and "version".');
  }
  const { info } = document;
  if (!isObject(info)) return;
  mendText(info, 'title', 'API', warn);
  mendText(info, 'version', '0', warn);
}

function mendText(info: Fields, field: string, fallback: string, warn: Warn): void {
  const value = info[field];
  if (typeof value === 'string') return;
  info[field] = value === undefined || value === null || isObject(value) ? fallback : String(value);
  warn(
    `/info/${field}`,
    value === undefined ? `"info" lacks the field "${field}".` : `"${field}" must be a string; put quotes around it.`,
  );
}
