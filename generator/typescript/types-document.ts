import type { OpenAPI3 } from 'openapi-typescript';
import { type DirectedSchemas, directSchemas } from './directed-schemas.ts';
import { markFiles } from './multipart.ts';
import {
  capitalize,
  type Contract,
  createIdentifiers,
  isObject,
  type MediaTypeObject,
  type Operation,
  referencePointer,
  type Schema,
  valueAt,
} from '@branchline/contract';

/**
 * The contract as openapi-typescript likes it: every operation stands under its id and is complete in itself, so that all
 * its types are found at `operations['id']`, whatever references the spec uses between paths, parameters and responses.
 * References in schemas lead to components only.
 */
export function makeTypesDocument(contract: Contract): OpenAPI3 {
  const { openapi, info } = contract.document;
  const directed = directSchemas(contract.document);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of contract.operations) {
    (paths[escapePath(operation.path)] ??= {})[operation.method] = completeOperation(contract, operation, directed);
  }
  return hoistReferences(contract, { openapi, info, paths, components: { schemas: keepOwnChoices(directed.schemas) } });
}

/**
 * openapi-typescript gives the property of a discriminator to each schema that is made of its owner; one that describes the property itself
 * would have it twice, which does not compile. A schema with a discriminator is left alone.
 */
function keepOwnChoices(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!isObject(schema) || 'discriminator' in schema || !isObject(schema['properties'])) return [name, schema];
      const own = schema['properties'];
      const propertyName = listInherited(schemas, schema).find((inherited) => Object.hasOwn(own, inherited));
      return [name, propertyName === undefined ? schema : { ...schema, discriminator: { propertyName } }];
    }),
  );
}

/** The properties of the discriminators of what a schema is made of. */
function listInherited(schemas: Readonly<Record<string, Schema>>, schema: Schema, depth = 0): string[] {
  if (!isObject(schema) || depth > 8) return [];
  const parts = [schema['allOf'], schema['anyOf']].flatMap((list) => (Array.isArray(list) ? list : []));
  return parts.flatMap((part: unknown) => {
    const name = isObject(part) ? /^#\/components\/schemas\/([^/]+)$/.exec(String(part['$ref']))?.[1] : undefined;
    const target = name === undefined ? undefined : schemas[name];
    if (!isObject(target)) return [];
    const choice = target['discriminator'];
    const own = isObject(choice) && typeof choice['propertyName'] === 'string' ? [choice['propertyName']] : [];
    return [...own, ...listInherited(schemas, target, depth + 1)];
  });
}

/** Pointers to the path are decoded over and over; a `%` that begins no escape can't be. */
function escapePath(path: string): string {
  return path.replaceAll(/%(?![0-9a-f]{2})/gi, '\uff05');
}

function completeOperation(contract: Contract, operation: Operation, directed: DirectedSchemas): object {
  const { id, definition, parameters, requestBody, responses } = operation;
  const { summary, description, deprecated } = definition;
  return {
    summary,
    description,
    deprecated,
    operationId: id,
    parameters: parameters.map(({ value: { examples: _examples, example: _example, ...parameter } }) => parameter),
    ...(requestBody && {
      requestBody: {
        ...requestBody.value,
        content: directed.forRequest(completeContent(markFiles(contract, requestBody.value.content))),
      },
    }),
    responses: Object.fromEntries(
      responses.map(({ status, value }) => [
        status,
        {
          description: value.description,
          headers: completeHeaders(contract, value.headers),
          content: directed.forReply(completeContent(value.content)),
        },
      ]),
    ),
  };
}

function completeHeaders(contract: Contract, headers: Record<string, object> = {}): object {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => {
      const { description, required, schema, content } = contract.resolve<Record<string, unknown>>({ ...header });
      return [name, { description, required, schema, content }];
    }),
  );
}

/** Examples are data, yet references would be looked for in them. */
function completeContent(content: Record<string, MediaTypeObject> = {}): object {
  return Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }]));
}

/** Gives what references lead to outside of components (`#/paths/…`) a place there; and mends discriminators. */
function hoistReferences(contract: Contract, document: object): OpenAPI3 {
  const identify = createIdentifiers();
  for (const taken of Object.keys(contract.document.components?.schemas ?? {})) identify(taken);
  const names = new Map<string, string>();
  const schemas: Record<string, unknown> = {};
  const place = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (key, member: unknown) => {
      if (key === 'discriminator' && isObject(member)) return completeMapping(contract, member);
      return key === '$ref' && typeof member === 'string' ? placed(member) : member;
    });
  const placed = (reference: string): string | undefined => {
    const pointer = referencePointer(reference) ?? '';
    if (/^#\/components\/schemas\/[^/]+$/.test(reference) && valueAt(document, pointer) !== undefined) return reference;
    const target = valueAt(contract.document, pointer);
    // References of the contract all lead somewhere; this is data that looks like one.
    if (target === undefined) return undefined;
    const known = names.get(reference);
    const name = known ?? capitalize(identify(reference));
    if (known === undefined) {
      names.set(reference, name);
      schemas[name] = place(target);
    }
    return `#/components/schemas/${name}`;
  };
  const complete = place(document) as OpenAPI3;
  Object.assign(((complete.components ??= {}).schemas ??= {}), schemas);
  return complete;
}

/** A mapping may name a schema without its path; one that names nothing says nothing. */
function completeMapping(contract: Contract, discriminator: Record<string, unknown>): object {
  const { mapping } = discriminator;
  if (!isObject(mapping)) return discriminator;
  const full = Object.entries(mapping).flatMap(([value, target]) => {
    const reference = String(target).startsWith('#') ? String(target) : `#/components/schemas/${String(target)}`;
    return valueAt(contract.document, referencePointer(reference) ?? '') === undefined ? [] : [[value, reference]];
  });
  return { ...discriminator, mapping: Object.fromEntries(full) };
}
