import {
  type Contract,
  fromPointer,
  isObject,
  type Json,
  type MediaTypeObject,
  type OpenApiDocument,
  pointerTo,
  type Schema,
  withValueAt,
} from '@branchline/contract';
import type { PartPlan } from '@branchline/runtime';
import { classifyMediaType, stripParameters } from './media-types.ts';
import { findProperties, findTypes } from './schema-types.ts';

type Content = Record<string, MediaTypeObject>;
type Fields = Record<string, unknown>;

/** Stands where the schema of a file was: a file is nothing that JSON Schema could speak of. */
const FILE_MARK = 'x-branchline-file';

export function isFileMark(schema: unknown): boolean {
  return isObject(schema) && schema[FILE_MARK] === true;
}

/** The content of a request body in which what is a file in a `multipart/form-data` says so. */
export function markFiles(contract: Contract, content: Content): Content {
  const marked = Object.entries(content).map(([type, media]): [string, MediaTypeObject] => {
    if (classifyMediaType(type) !== 'multipart' || media.schema === undefined) return [type, media];
    return [type, { ...media, schema: markIn(contract, media, media.schema) }];
  });
  return Object.fromEntries(marked);
}

/** The same in a whole document. */
export function markUploads(contract: Contract): OpenApiDocument {
  return contract.operations.reduce((marked, { requestBody }) => {
    if (requestBody === undefined) return marked;
    const { value, pointer } = requestBody;
    const changed = Object.entries(markFiles(contract, value.content)).filter(
      ([type, { schema }]) => schema !== value.content[type]?.schema,
    );
    return changed.reduce((document, [type, { schema }]) => {
      const path = fromPointer(pointerTo(pointer, 'content', type, 'schema'));
      return withValueAt(document as unknown as Json, path, schema as Json) as unknown as OpenApiDocument;
    }, marked);
  }, contract.document);
}

/** What is known of each name in a `multipart/form-data` body. */
export function planParts(contract: Contract, media: MediaTypeObject): PartPlan[] {
  return Object.entries(findProperties(contract, media.schema)).map(([name, written]) => {
    const types = findTypes(contract, written);
    const list = types.size === 1 && types.has('array');
    const schema = list ? findItems(contract, written) : written;
    if (isFile(contract, schema, readContentType(media, name)))
      return planFile(contract, media, { name, list, schema });
    const isStructured = [...findTypes(contract, schema)].some((type) => type === 'object' || type === 'array');
    const hasStyle = media.encoding?.[name]?.style !== undefined;
    return { name, kind: isStructured && !hasStyle ? 'json' : 'text', list };
  });
}

interface FileField {
  name: string;
  list: boolean;
  schema: Schema | undefined;
}

function planFile(contract: Contract, media: MediaTypeObject, { name, list, schema }: FileField): PartPlan {
  const target = contract.resolve(schema);
  const { contentMediaType, maxLength, minLength }: Fields = isObject(target) ? target : {};
  const described = contentMediaType === 'application/octet-stream' ? undefined : contentMediaType;
  const contentTypes = String(readContentType(media, name) ?? described ?? '')
    .split(',')
    .map(stripParameters)
    .filter((type) => type !== '');
  return {
    name,
    kind: 'file',
    list,
    ...(contentTypes.length > 0 && { contentTypes }),
    ...(typeof maxLength === 'number' && { maxBytes: maxLength }),
    ...(typeof minLength === 'number' && { minBytes: minLength }),
  };
}

function readContentType({ encoding }: MediaTypeObject, name: string): string | undefined {
  return encoding?.[name]?.contentType;
}

/** A schema, with what it is composed of, in which the properties that are files say so; the same where there is none. */
function markIn(contract: Contract, media: MediaTypeObject, schema: Schema, open: readonly unknown[] = []): Schema {
  const target = contract.resolve(schema);
  if (!isObject(target) || !isObject(schema) || open.includes(target)) return schema;
  const within = [...open, target];
  const compositions = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword): [string, unknown][] => {
    const parts = target[keyword];
    if (!Array.isArray(parts)) return [];
    const marked = parts.map((part: Schema) => markIn(contract, media, part, within));
    return marked.some((part, index) => part !== parts[index]) ? [[keyword, marked]] : [];
  });
  const properties = Object.entries(
    isObject(target['properties']) ? (target['properties'] as Record<string, Schema>) : {},
  );
  const marked = properties.map(([name, property]): [string, Schema] => [
    name,
    markProperty(contract, readContentType(media, name), property),
  ]);
  const hasFiles = marked.some(([, property], index) => property !== properties[index]?.[1]);
  if (!hasFiles && compositions.length === 0) return schema;
  const { $ref: _reference, ...beside } = schema;
  return {
    ...target,
    ...(target === schema ? {} : beside),
    ...Object.fromEntries(compositions),
    ...(hasFiles && { properties: Object.fromEntries(marked) }),
  };
}

function markProperty(contract: Contract, contentType: string | undefined, property: Schema): Schema {
  if (isFile(contract, property, contentType)) return describeFile(contract, property);
  const items = findItems(contract, property);
  const target = contract.resolve(property);
  if (items === undefined || !isObject(target) || !isFile(contract, items, contentType)) return property;
  return { ...target, items: describeFile(contract, items) };
}

function describeFile(contract: Contract, schema: Schema): Schema {
  const target = contract.resolve(schema);
  const description = isObject(target) ? target['description'] : undefined;
  return { [FILE_MARK]: true, type: 'object', ...(description !== undefined && { description }) };
}

function findItems(contract: Contract, schema: Schema | undefined): Schema | undefined {
  const target = contract.resolve(schema);
  return isObject(target) && isObject(target['items']) ? (target['items'] as Schema) : undefined;
}

/** A schema of which these are all that it says describes bytes (OpenAPI 3.1, Special Considerations for multipart Content). */
const SAYS_NOTHING = new Set(
  'title description deprecated example examples default readOnly writeOnly contentMediaType maxLength minLength'.split(
    ' ',
  ),
);

/** Whether a field is a file: bytes, or text of a type of its own such as an image in XML. */
function isFile(contract: Contract, schema: Schema | undefined, contentType: string | undefined): boolean {
  const target = contract.resolve(schema);
  if (!isObject(target)) return target === true;
  if (target['format'] === 'binary') return true;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => target[keyword] ?? []);
  if (parts.some((part) => isObject(part) && part !== target && isBinary(contract.resolve(part as Schema))))
    return true;
  if (target['contentEncoding'] !== undefined) return false;
  if (Object.keys(target).every((keyword) => SAYS_NOTHING.has(keyword))) return true;
  const types = findTypes(contract, target);
  types.delete('null');
  const named = contentType ?? target['contentMediaType'];
  return types.size === 1 && types.has('string') && typeof named === 'string' && named.split(',').some(isBytes);
}

function isBinary(schema: unknown): boolean {
  return (
    isObject(schema) && (schema['format'] === 'binary' || schema['contentMediaType'] === 'application/octet-stream')
  );
}

function isBytes(mediaType: string): boolean {
  return mediaType.includes('*') ? !/^\s*text\//i.test(mediaType) : classifyMediaType(mediaType) === 'binary';
}
