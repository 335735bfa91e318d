import type { DocumentedResponse, Located, Operation } from './contract.ts';
import { createIdentifiers, nameRoute } from './identifiers.ts';
import {
  methods,
  type Method,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  type Reference,
  type RequestBodyObject,
} from './openapi.ts';
import { pointerTo } from './pointers.ts';
import { resolveIn } from './references.ts';

/** One method of one path, before anything in it is resolved. */
export interface Route {
  path: string;
  method: Method;
  item: Located<PathItemObject>;
  operation: Located<OperationObject>;
}

/** OpenAPI gives these headers their meaning elsewhere: as parameters they "SHALL be ignored". */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

/** All methods of all paths, in the order of the document. */
export function listRoutes(document: OpenApiDocument): Route[] {
  return Object.entries(document.paths ?? {})
    .filter(([path]) => !path.startsWith('x-'))
    .flatMap(([path, written]) => listMethods(document, path, { value: written, pointer: pointerTo('/paths', path) }));
}

/** All methods of one path item, which may be a reference. */
export function listMethods(document: OpenApiDocument, path: string, written: Located<PathItemObject>): Route[] {
  const item = resolveIn<PathItemObject>(document, written.value, written.pointer);
  return Object.keys(item.value)
    .filter(isMethod)
    .flatMap((method) => {
      const operation = item.value[method];
      if (operation === undefined) return [];
      return [{ path, method, item, operation: { value: operation, pointer: pointerTo(item.pointer, method) } }];
    });
}

function isMethod(field: string): field is Method {
  return methods.some((method) => method === field);
}

export function readOperations(document: OpenApiDocument): Operation[] {
  const identify = createIdentifiers();
  return listRoutes(document).map((route) => {
    const { path, method, operation } = route;
    return readOperation(document, identify(operation.value.operationId ?? nameRoute(method, path)), route);
  });
}

/** One operation, with the references on its own level resolved. */
export function readOperation(
  document: OpenApiDocument,
  id: string,
  { path, method, item, operation }: Route,
): Operation {
  const { value: definition, pointer } = operation;
  return {
    id,
    method,
    path,
    pointer,
    definition,
    parameters: resolveParameters(document, item, operation),
    requestBody: resolveRequestBody(document, method, operation),
    responses: resolveResponses(document, operation),
    security: definition.security ?? document.security ?? [],
  };
}

/** A body of GET or HEAD has no meaning in HTTP; OpenAPI 3.0 says that one described there "SHALL be ignored". */
function resolveRequestBody(
  document: OpenApiDocument,
  method: Method,
  { value, pointer }: Located<OperationObject>,
): Located<RequestBodyObject> | undefined {
  if (value.requestBody === undefined || method === 'get' || method === 'head') return undefined;
  return resolveIn(document, value.requestBody, pointerTo(pointer, 'requestBody'));
}

function resolveParameters(
  document: OpenApiDocument,
  item: Located<PathItemObject>,
  operation: Located<OperationObject>,
): Located<ParameterObject>[] {
  const all = [item, operation].flatMap((owner) => resolveOwnParameters(document, owner));
  const byName = new Map(all.map((parameter) => [`${parameter.value.in} ${parameter.value.name}`, parameter]));
  return [...byName.values()].filter(
    ({ value }) => value.in !== 'header' || !ignoredHeaders.has(value.name.toLowerCase()),
  );
}

/** The parameters written on a path item or an operation itself. */
export function resolveOwnParameters(
  document: OpenApiDocument,
  owner: Located<{ parameters?: (Reference | ParameterObject)[] }>,
): Located<ParameterObject>[] {
  return (owner.value.parameters ?? []).map((parameter, index) =>
    resolveIn(document, parameter, pointerTo(owner.pointer, 'parameters', index)),
  );
}

function resolveResponses(document: OpenApiDocument, operation: Located<OperationObject>): DocumentedResponse[] {
  return Object.entries(operation.value.responses ?? {})
    .filter(([status]) => !status.startsWith('x-'))
    .map(([status, response]) => {
      const { value, pointer } = resolveIn(document, response, pointerTo(operation.pointer, 'responses', status));
      return { status, value, pointer };
    });
}
