import type { OpenApiDocument } from '../openapi.ts';
import { fromPointer, isObject, toPointer, valueAt } from '../pointers.ts';

/**
 * What stands at a pointer, in words that stay the same when lines and lists are moved: `Pet.tags[]`, `GET /pets query limit`,
 * `POST /pets body.name`.
 */
export function namePlace(document: OpenApiDocument, pointer: string): string {
  const [section, ...rest] = fromPointer(pointer);
  if (section === 'components') return nameComponent(rest);
  if (section === 'paths' || section === 'webhooks') return namePath(document, pointer);
  return [section ?? 'document', ...rest].join(' ');
}

function nameComponent([section = '', name = '', ...rest]: readonly string[]): string {
  if (section === 'schemas') return name + nameWithin(rest);
  return join(`${section}.${name}`, nameParts(rest));
}

function namePath(document: OpenApiDocument, pointer: string): string {
  const [section = '', path = '', ...rest] = fromPointer(pointer);
  const where = section === 'webhooks' ? `webhook ${path}` : path;
  const [method = '', ...inner] = rest;
  if (method === 'parameters') return join(where, nameParameter(document, [section, path], inner));
  if (method === '') return where;
  const operation = `${method.toUpperCase()} ${where}`;
  const [field, ...others] = inner;
  if (field === 'parameters') return join(operation, nameParameter(document, [section, path, method], others));
  return join(operation, nameParts(inner));
}

function nameParameter(
  document: OpenApiDocument,
  owner: readonly string[],
  [index = '', ...rest]: readonly string[],
): string {
  const parameter = valueAt(document, toPointer([...owner, 'parameters', index]));
  if (!isObject(parameter)) return 'parameters';
  return `${String(parameter['in'])} ${String(parameter['name'])}${nameParts(rest)}`;
}

/** What stands within an operation, a parameter, a body or a response. */
function nameParts(path: readonly string[]): string {
  const [field = '', name = '', ...rest] = path;
  switch (field) {
    case '':
      return '';
    case 'requestBody':
      return join('body', nameParts(path.slice(1)));
    case 'responses':
      return join(name, nameParts(rest));
    case 'headers':
      return join(`header ${name}`, nameParts(rest));
    case 'content':
      return rest[0] === undefined ? name : nameParts(rest);
    case 'schema':
      return nameWithin(path.slice(1));
    default:
      return path.length > 1 ? path.join(' ') : '';
  }
}

/** How what stands under a keyword is named by the name, or the place in a list, that comes after it. */
const NAMED: Readonly<Record<string, (name: string) => string>> = {
  properties: (name) => `.${name}`,
  patternProperties: (pattern) => `./${pattern}/`,
  prefixItems: (index) => `[${index}]`,
  allOf: () => '',
  oneOf: (index) => `|${Number(index) + 1}`,
  anyOf: (index) => `|${Number(index) + 1}`,
  dependentSchemas: (name) => `.${name}`,
};

/** The same for keywords that hold one schema. */
const SINGLE: Readonly<Record<string, string>> = { items: '[]', additionalProperties: '.*' };

/** Where in a schema something stands: its keywords go without saying. */
function nameWithin(path: readonly string[]): string {
  const [keyword, name] = path;
  if (keyword === undefined) return '';
  const print = NAMED[keyword];
  if (print !== undefined) return name === undefined ? '' : print(name) + nameWithin(path.slice(2));
  return (SINGLE[keyword] ?? '') + nameWithin(path.slice(1));
}

function join(place: string, within: string): string {
  const glue = within === '' || /^[.[|]/.test(within) ? '' : ' ';
  return place + glue + within;
}
