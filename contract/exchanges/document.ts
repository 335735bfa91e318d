import type { Located } from '../contract.ts';
import { isJsonObject, valueAtPath } from '../json.ts';
import type { SecurityRequirement } from '../openapi.ts';
import { fromPointer, toPointer } from '../pointers.ts';

/** The parts of an OpenAPI 3.1 document that judging an exchange needs; everything else in it stays unread. */
export interface ContractDocument {
  openapi: string;
  paths?: { [template: string]: object };
  components?: { securitySchemes?: { [name: string]: object }; [section: string]: unknown };
  security?: SecurityRequirement[];
  [field: string]: unknown;
}

export interface HeaderObject {
  required?: boolean;
  schema?: unknown;
  explode?: boolean;
  content?: Record<string, { schema?: unknown }>;
}

export interface ResponseObject {
  headers?: Record<string, HeaderObject>;
  content?: Record<string, { schema?: unknown }>;
}

/** One operation, found by an exchange. */
export interface DocumentedOperation {
  /** Lower case. */
  method: string;
  /** The path template as the document writes it. */
  path: string;
  /** JSON pointer of the operation object. */
  pointer: string;
  /** By status as documented: `201`, `4XX`, `default`. */
  responses: Record<string, unknown>;
  security: readonly SecurityRequirement[];
}

/**
 * Follows `$ref`s inside the document until it meets something that is none.
 *
 * @throws Error where a reference leads nowhere or in a circle.
 */
export function follow<T extends object>(document: ContractDocument, pointer: string): Located<T> {
  const seen = new Set<string>();
  for (let current = pointer; !seen.has(current);) {
    seen.add(current);
    const value = valueAtPath(document, fromPointer(current));
    if (typeof value !== 'object' || value === null) throw new Error(`The contract has nothing at "${current}".`);
    const reference: unknown = Reflect.get(value, '$ref');
    if (typeof reference !== 'string') return { pointer: current, value: value as T };
    current = decodeURIComponent(reference.slice(1));
  }
  throw new Error(`The reference at "${pointer}" of the contract leads in a circle.`);
}

/**
 * The operation that a method and a concrete path (or the template itself) belong to. A path without parameters wins
 * over one with them, as OpenAPI demands; `HEAD` belongs to `GET` where it has no operation of its own.
 */
export function operationAt(document: ContractDocument, method: string, path: string): DocumentedOperation | undefined {
  const wanted = method.toLowerCase();
  for (const template of findTemplates(document, path)) {
    const item = follow<Record<string, unknown>>(document, toPointer(['paths', template]));
    const found = [wanted, wanted === 'head' ? 'get' : wanted].find((name) => isJsonObject(item.value[name]));
    if (found === undefined) continue;
    const definition = valueAtPath(item.value, [found]);
    return {
      method: found,
      path: template,
      pointer: item.pointer + toPointer([found]),
      responses: (valueAtPath(definition, ['responses']) ?? {}) as Record<string, unknown>,
      security: (valueAtPath(definition, ['security']) ?? document.security ?? []) as SecurityRequirement[],
    };
  }
  return undefined;
}

function findTemplates(document: ContractDocument, path: string): string[] {
  const fits = Object.keys(document.paths ?? {}).filter((template) => matches(template, path));
  return fits.toSorted((a, b) => countParameters(a) - countParameters(b));
}

function countParameters(template: string): number {
  return template.split('{').length;
}

function matches(template: string, path: string): boolean {
  if (template === path) return true;
  const source = template
    .split(/(\{[^}]*\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`).test(path);
}
