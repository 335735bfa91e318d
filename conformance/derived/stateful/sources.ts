import { isJsonObject, type Operation, type OpenApiDocument, resolveIn } from '@branchline/contract';

/** An operation whose answers give the value of a path parameter. */
export interface Source {
  readonly kind: 'create' | 'list';
  readonly operation: Operation;
  /** Where a link of the contract says that the value is: `$response.body#/id`. */
  readonly expression?: string;
}

/** A path parameter, and what may give its value: the best first. */
export interface ResourceParameter {
  readonly name: string;
  /** The path up to the parameter: `/rooms/{roomId}` of `/rooms/{roomId}/things`. */
  readonly prefix: string;
  readonly sources: readonly Source[];
}

/** The parameters of a path, outermost first. */
export function findResourceParameters(
  document: OpenApiDocument,
  operations: readonly Operation[],
  path: string,
): ResourceParameter[] {
  const segments = path.split('/');
  return segments.flatMap((segment, index) => {
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    if (name === undefined) return [];
    const prefix = segments.slice(0, index + 1).join('/');
    const collection = segments.slice(0, index).join('/');
    return [{ name, prefix, sources: findSources(document, operations, { name, prefix, collection }) }];
  });
}

interface Place {
  readonly name: string;
  readonly prefix: string;
  readonly collection: string;
}

function findSources(document: OpenApiDocument, operations: readonly Operation[], place: Place): Source[] {
  const linked = operations.flatMap((operation) => findLinks(document, operations, operation, place));
  const beside = operations.filter(({ path }) => path === place.collection);
  const others = operations.filter((one) => !beside.includes(one) && isAbout(one, place));
  const sources = [...linked, ...[...beside, ...others].flatMap(toSource)];
  return [...sources.filter(({ kind }) => kind === 'create'), ...sources.filter(({ kind }) => kind === 'list')];
}

/** A GET lists, a POST creates; what needs more than its own outer parameters can't be called. */
function toSource(operation: Operation): Source[] {
  if (operation.method === 'post') return [{ kind: 'create', operation }];
  return operation.method === 'get' ? [{ kind: 'list', operation }] : [];
}

/** Elsewhere, by its name: `POST /createPet` or `GET /pets/search` for `petId`. */
function isAbout({ path, method }: Operation, { name }: Place): boolean {
  if (path.includes('{') || (method !== 'post' && method !== 'get')) return false;
  const entity = normalize(name).replace(/(id|uuid|key|name)$/, '');
  if (entity.length < 3) return false;
  const last = normalize(path.split('/').at(-1) ?? '').replace(/^(create|add|new|list|all|find|get)/, '');
  return isPluralOf(entity, last);
}

/** Whether a segment of a path names many of what a word names one of: `/categories` for `category`. */
export function isPluralOf(entity: string, segment: string): boolean {
  return [entity, `${entity}s`, `${entity}es`, entity.replace(/y$/, 'ies')].includes(normalize(segment));
}

/** Links (OpenAPI, Link Object) of an operation's answers that lead to the parameter. */
function findLinks(
  document: OpenApiDocument,
  operations: readonly Operation[],
  operation: Operation,
  { name, prefix }: Place,
): Source[] {
  const isThere = ({ path }: Operation): boolean => path === prefix || path.startsWith(`${prefix}/`);
  return operation.responses.flatMap(({ status, value }) => {
    if (!status.startsWith('2') && status !== 'default') return [];
    const links = Object.values(Object(value['links'])).map((link) => resolveIn(document, link).value);
    return links.flatMap((link): Source[] => {
      if (!isJsonObject(link) || !isJsonObject(link['parameters'])) return [];
      const target = operations.find(
        (one) => one.definition.operationId === link['operationId'] || link['operationRef'] === `#${one.pointer}`,
      );
      const expression = link['parameters'][name] ?? link['parameters'][`path.${name}`];
      if (target === undefined || !isThere(target) || typeof expression !== 'string') return [];
      return [{ kind: operation.method === 'post' ? 'create' : 'list', operation, expression }];
    });
  });
}

/** `pet_id` and `petId` are one name. */
export function normalize(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
