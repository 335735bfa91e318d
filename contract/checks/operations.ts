import type { Located } from '../contract.ts';
import type { OpenApiDocument, ParameterObject } from '../openapi.ts';
import { resolveOwnParameters, listRoutes, type Route } from '../operations.ts';
import { isObject, pointerTo } from '../pointers.ts';
import { resolveIn } from '../references.ts';
import type { Finding } from './check.ts';

/** What the OpenAPI schema can't see, yet a server could not be made of. Expects a 3.1 document with the right structure. */
export function checkOperations(document: OpenApiDocument): Finding[] {
  const routes = listRoutes(document);
  return [
    ...Object.keys(document.paths ?? {}).flatMap((path) => checkPath(document, path)),
    ...checkClashes(routes),
    ...checkOperationIds(routes),
    ...routes.flatMap((route) => checkPathParameters(document, route)),
    ...routes.flatMap((route) => checkRequestBody(document, route)),
    ...routes.flatMap((route) => checkSecurity(document, route)),
    ...checkRequirements(document, '', document.security),
  ];
}

/** What a path can't hold, since a server could not tell such paths apart. */
const REASONS_AGAINST: Readonly<Record<string, string>> = {
  '#': 'browsers and clients keep to themselves, with all behind it; give each operation a path and method of its own',
  '?': 'begins the query; describe what follows as query parameters',
  '*': 'a server can not route; name what it stands for in braces, as a parameter',
};

function checkPath(document: OpenApiDocument, path: string): Finding[] {
  const pointer = pointerTo('/paths', path);
  const findings: Finding[] = [];
  const wrong = /[?#*]/.exec(path.replaceAll(/%2a/gi, '*'));
  if (wrong)
    findings.push({ pointer, sentence: `The path "${path}" holds "${wrong[0]}", which ${REASONS_AGAINST[wrong[0]]}.` });
  if (!path.startsWith('/') && !path.startsWith('x-')) {
    findings.push({ pointer, sentence: `The path "${path}" must begin with "/".` });
  }
  const names = readTemplateNames(path);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    findings.push({
      pointer,
      sentence: `The path "${path}" names "{${twice}}" twice; give each parameter a name of its own.`,
    });
  if (/[{}]/.test(path.replaceAll(/\{[^{}/]+\}/g, ''))) {
    findings.push({ pointer, sentence: `The path "${path}" has braces that do not enclose a name.` });
  }
  const item = resolveIn(document, document.paths?.[path], pointer);
  if (item.value?.['trace'] !== undefined) {
    findings.push({ pointer: pointerTo(item.pointer, 'trace'), sentence: 'The method TRACE can not be served.' });
  }
  return findings;
}

/** Two paths that differ in the names of their parameters only are the same to a router. */
function checkClashes(routes: Route[]): Finding[] {
  const seen = new Map<string, Route>();
  return routes.flatMap((route) => {
    const key = `${route.method} ${route.path.replaceAll(/\{[^}]*\}/g, '{}')}`;
    const first = seen.get(key);
    seen.set(key, first ?? route);
    if (first === undefined) return [];
    const sentence = `The path "${route.path}" is the same as "${first.path}" for ${route.method.toUpperCase()}; only the names of the parameters differ.`;
    return [{ pointer: pointerTo('/paths', route.path), sentence }];
  });
}

function checkOperationIds(routes: Route[]): Finding[] {
  const seen = new Map<string, Route>();
  return routes.flatMap((route) => {
    const id = route.operation.value.operationId;
    if (id === undefined) return [];
    const first = seen.get(id);
    seen.set(id, first ?? route);
    if (first === undefined) return [];
    const sentence = `The operationId "${id}" is already used by ${first.method.toUpperCase()} ${first.path}; give each operation its own.`;
    return [{ pointer: pointerTo(route.operation.pointer, 'operationId'), sentence }];
  });
}

function checkPathParameters(document: OpenApiDocument, route: Route): Finding[] {
  const own = resolveOwnParameters(document, route.operation);
  const declared = [...resolveOwnParameters(document, route.item), ...own].filter(({ value }) => value.in === 'path');
  const names = readTemplateNames(route.path);
  const undeclared = names.filter((name) => !declared.some(({ value }) => value.name === name));
  const stray = declared.filter(({ value }) => !names.includes(value.name));
  return [
    ...checkRepetition(own),
    ...undeclared.map((name) => ({
      pointer: route.operation.pointer,
      sentence: `${route.method.toUpperCase()} ${route.path} does not declare the path parameter "${name}"; add it to "parameters".`,
    })),
    ...stray.map(({ pointer, value }) => ({
      pointer,
      sentence: `The path parameter "${value.name}" does not stand in the path "${route.path}".`,
    })),
  ];
}

function makeKey({ value }: Located<ParameterObject>): string {
  return `${value.in} ${value.name}`;
}

function checkRepetition(parameters: Located<ParameterObject>[]): Finding[] {
  return parameters
    .filter((parameter, index) => parameters.findIndex((other) => makeKey(other) === makeKey(parameter)) !== index)
    .map(({ pointer, value }) => ({
      pointer,
      sentence: `The ${value.in} parameter "${value.name}" is declared twice.`,
    }));
}

function checkRequestBody(document: OpenApiDocument, { operation }: Route): Finding[] {
  const written = operation.value.requestBody;
  if (written === undefined) return [];
  const body = resolveIn(document, written, pointerTo(operation.pointer, 'requestBody'));
  const limit: unknown = body.value['x-branchline-max-body-bytes'];
  const encodings: unknown = body.value['x-branchline-encodings'];
  const findings: Finding[] = [];
  if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) > 0)) {
    const sentence = '"x-branchline-max-body-bytes" must be a whole number of bytes above 0.';
    findings.push({ pointer: pointerTo(body.pointer, 'x-branchline-max-body-bytes'), sentence });
  }
  if (encodings !== undefined && !(Array.isArray(encodings) && encodings.every((encoding) => encoding === 'gzip'))) {
    const sentence = '"x-branchline-encodings" must be a list; "gzip" is the only encoding it may hold.';
    findings.push({ pointer: pointerTo(body.pointer, 'x-branchline-encodings'), sentence });
  }
  return findings;
}

function checkSecurity(document: OpenApiDocument, { operation }: Route): Finding[] {
  return checkRequirements(document, operation.pointer, operation.value.security);
}

function checkRequirements(document: OpenApiDocument, owner: string, requirements: unknown): Finding[] {
  const known = document.components?.securitySchemes ?? {};
  return (Array.isArray(requirements) ? requirements : []).flatMap((requirement: unknown, index) =>
    Object.keys(isObject(requirement) ? requirement : {})
      .filter((name) => !Object.hasOwn(known, name))
      .map((name) => ({
        pointer: pointerTo(owner, 'security', index, name),
        sentence: `The security scheme "${name}" is not declared under components.securitySchemes.`,
      })),
  );
}

function readTemplateNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}/]+)\}/g)].map(([, name]) => name ?? '');
}
