import { isJsonObject } from '../json.ts';
import { toPointer, valueAt } from '../pointers.ts';
import { type ContractDocument, follow, type HeaderObject } from './document.ts';

/** A documented header, and where it stands. */
interface Documented {
  pointer: string;
  value: HeaderObject;
}

/** Where the schema of a header stands: its own, or that of the media type that it is written in. */
export function headerSchema({ pointer, value }: Documented): string | undefined {
  if (value.schema !== undefined) return `${pointer}/schema`;
  const [type, media] = Object.entries(value.content ?? {})[0] ?? [];
  return type === undefined || media?.schema === undefined
    ? undefined
    : pointer + toPointer(['content', type, 'schema']);
}

/**
 * What the text of a header says: the items of a list, or the fields of an object, with commas between (style `simple`; RFC 6570, section
 * 3.2.2), or JSON; else the text. `undefined` for text that is no JSON.
 */
export function readHeader(document: ContractDocument, { pointer, value }: Documented, text: string): unknown {
  if (value.content !== undefined) return parseJson(text);
  const types = listTypes(document, `${pointer}/schema`);
  if (types.includes('string')) return text;
  const parts = text === '' ? [] : text.split(',').map((part) => part.trim());
  if (types.includes('array')) return parts;
  if (!types.includes('object')) return text;
  const pairs = value.explode === true ? parts.map(splitField) : pairUp(parts);
  return Object.fromEntries(pairs);
}

/** The types that a schema names itself, as far as it does. */
function listTypes(document: ContractDocument, pointer: string): string[] {
  if (!isJsonObject(valueAt(document, pointer))) return [];
  const { type } = follow<{ type?: string | string[] }>(document, pointer).value;
  return [type ?? []].flat();
}

function splitField(part: string): [string, string] {
  const [name = '', ...value] = part.split('=');
  return [name, value.join('=')];
}

function pairUp(parts: readonly string[]): [string, string][] {
  return parts.flatMap((part, index): [string, string][] => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : []));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
