import { isObject } from '../pointers.ts';
import type { Fields, Warn } from './fault.ts';

/** Mends what the head of a document lacks, or has without quotes. */
export function mendHead(document: Fields, warn: Warn): void {
  mendVersion(document, warn);
  if (!isObject(document['info'])) {
    document['info'] = {};
    warn('/info', 'The document lacks "info", with "title" and "version".');
  }
  const { info } = document;
  if (!isObject(info)) return;
  mendText(info, 'title', 'API', warn);
  mendText(info, 'version', '0', warn);
}

/** What is newer than 3.1 in a document of 3.2 is told of where it stands. */
function mendVersion(document: Fields, warn: Warn): void {
  const written = String(document['openapi']);
  const [, minor] = /^\s*v?3(?:\.([012]))?(?:\.\d+)?(?:-[\w.]+)?\s*$/i.exec(written) ?? [];
  if (minor === '2') {
    document['openapi'] = '3.1.0';
    warn('/openapi', `OpenAPI ${written} is read as 3.1: what is new in it is ignored.`);
  } else if (/^\s*v?3\b/i.test(written) && !/^3\.(?:0\.\d|1\.\d+)(?:-.+)?$/.test(written)) {
    document['openapi'] = `3.${minor ?? '0'}.0`;
    warn('/openapi', `The field "openapi" should name a whole version, in quotes: "${String(document['openapi'])}".`);
  }
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
