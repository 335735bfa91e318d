import { methods } from '../openapi.ts';
import { isObject, pointerTo, valueAt } from '../pointers.ts';
import type { Finding } from './check.ts';

const places = ['path', 'query', 'header', 'cookie'];

/**
 * Parameters, wherever they are described. OpenAPI's own schema sees only that none of its alternatives for a parameter
 * fits, which tells an author nothing.
 */
export function checkParameterObjects(document: object): Finding[] {
  return findParameters(document).flatMap(([pointer, parameter]) => checkParameter(pointer, parameter));
}

function findParameters(document: object): [pointer: string, value: unknown][] {
  const items = listEntries(document, '/paths').flatMap(([pointer, item]) => {
    const operations = isObject(item) ? methods.filter((method) => isObject(item[method])) : [];
    return [pointer, ...operations.map((method) => pointerTo(pointer, method))];
  });
  const lists = items.map((owner) => pointerTo(owner, 'parameters'));
  return ['/components/parameters', ...lists].flatMap((list) => listEntries(document, list));
}

function listEntries(document: object, pointer: string): [pointer: string, value: unknown][] {
  const value = valueAt(document, pointer);
  return isObject(value) ? Object.entries(value).map(([field, member]) => [pointerTo(pointer, field), member]) : [];
}

function checkParameter(pointer: string, parameter: unknown): Finding[] {
  if (!isObject(parameter) || '$ref' in parameter) return [];
  const { name, in: place, schema, content } = parameter;
  const finding = (sentence: string, at = pointer): Finding[] => [{ pointer: at, sentence }];
  if (typeof name !== 'string') return finding('A parameter lacks its "name".');
  if (place === undefined)
    return finding(`The parameter "${name}" lacks the field "in"; write where it is sent: ${places.join(', ')}.`);
  if (place === 'body' || place === 'formData')
    return finding(
      `"in: ${place}" is from Swagger 2.0; describe the body under "requestBody".`,
      pointerTo(pointer, 'in'),
    );
  if (typeof place !== 'string' || !places.includes(place))
    return finding(`"in" must be one of: ${places.join(', ')}.`, pointerTo(pointer, 'in'));
  if (place === 'path' && parameter['required'] !== true)
    return finding(`The path parameter "${name}" must have "required: true".`);
  if ((schema === undefined) === (content === undefined)) {
    const both =
      schema === undefined
        ? 'lacks a "schema" that says what its values are'
        : 'has both "schema" and "content"; keep one';
    return finding(`The ${place} parameter "${name}" ${both}.`);
  }
  return [];
}
