import { randomUUID } from 'node:crypto';
import { type Contract, isObject, type Operation } from '@branchline/contract';
import { findTypes } from '../typescript/schema-types.ts';
import { KeptResources, type Resource } from './kept-resources.ts';

/** The most characters of an id that is kept, as it is written into a path. */
const MOST_IN_PATH = 1024;

/** What an operation did to resources: the body of its answer, or that there is no such resource. */
export type Outcome = { body: unknown; id?: string } | 'missing';

/** What is asked of resources. */
export interface Access {
  operation: Operation;
  /** As it was asked for, without a query. */
  path: string;
  body: unknown;
  /** The body that the contract has as an example of the answer. */
  example: unknown;
}

/**
 * What clients have made, by path: POST to `/pets` makes what `/pets/{petId}` reads, replaces, changes and deletes, and what GET of
 * `/pets` lists.
 */
export class Resources {
  readonly #contract: Contract;
  /** The parameter at the end of the path of an item, by the path template of its collection. */
  readonly #parameters: ReadonlyMap<string, string>;
  readonly #kept = new KeptResources();
  #made = 0;

  constructor(contract: Contract) {
    this.#contract = contract;
    const templates = new Set(contract.operations.map(({ path }) => path));
    this.#parameters = new Map(
      [...templates].flatMap((template): [string, string][] => {
        const { owner, last } = splitPath(template);
        return /^\{[^{}]+\}$/.test(last) && templates.has(owner) ? [[owner, last.slice(1, -1)]] : [];
      }),
    );
  }

  /** @returns `undefined` where the operation is about no resource. */
  access({ operation: { method, path: template }, path, body, example }: Access): Outcome | undefined {
    const parameter = this.#parameters.get(template);
    if (parameter !== undefined) {
      if (method === 'post') return this.#create(template, path, { parameter, body, example });
      return method === 'get' ? { body: listIn(example, this.#kept.list(path)) } : undefined;
    }
    const { owner, last } = splitPath(path);
    if (this.#parameters.get(splitPath(template).owner) === undefined) return undefined;
    const id = decodeURIComponent(last);
    const standing = this.#kept.get(owner, id);
    if (standing === undefined) return 'missing';
    if (method === 'delete') {
      this.#kept.delete(owner, id);
      return { body: example };
    }
    const identity = findIdentity(standing, id);
    if (method === 'put' && isResource(body)) this.#kept.set(owner, id, { ...body, ...identity });
    if (method === 'patch' && isResource(body)) this.#kept.set(owner, id, { ...standing, ...body, ...identity });
    return ['get', 'put', 'patch'].includes(method) ? { body: this.#kept.get(owner, id) } : undefined;
  }

  #create(
    template: string,
    path: string,
    { parameter, body, example }: Pick<Access, 'body' | 'example'> & { parameter: string },
  ): Outcome | undefined {
    if (!isResource(body)) return undefined;
    const described = isResource(example) ? example : {};
    const name = ['id', parameter, 'uuid', 'name', 'slug'].find((one) => one in described || one in body) ?? 'id';
    const given = body[name];
    const id = isId(given) && fitsPath(String(given)) ? given : this.#makeId(template, parameter, described[name]);
    const resource = { ...described, ...body, [name]: id };
    this.#kept.set(path, String(id), resource);
    return { body: resource, id: String(id) };
  }

  /** As the path parameter, or else the example, is described. */
  #makeId(template: string, parameter: string, example: unknown): string | number {
    this.#made += 1;
    const item = this.#contract.operations.find(({ path }) => path === `${template}/{${parameter}}`);
    const plan = item?.parameters.find(({ value }) => value.in === 'path' && value.name === parameter);
    const types = findTypes(this.#contract, plan?.value.schema);
    return types.has('integer') || types.has('number') || typeof example === 'number' ? this.#made : randomUUID();
  }
}

/** `/pets/7` → `/pets` and `7` */
function splitPath(path: string): { owner: string; last: string } {
  const at = path.lastIndexOf('/');
  return { owner: path.slice(0, at), last: path.slice(at + 1) };
}

/** Resources, in the place where the example has its list. */
function listIn(example: unknown, resources: readonly Resource[]): unknown {
  if (!isResource(example)) return resources;
  const list = Object.keys(example).find((name) => Array.isArray(example[name]));
  return list === undefined ? resources : { ...example, [list]: resources };
}

/** What a resource is found by stays, whatever is sent. */
function findIdentity(resource: Resource, id: string): Resource {
  return Object.fromEntries(Object.entries(resource).filter(([, value]) => isId(value) && String(value) === id));
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** Whether an id comes back out of a path as it is written into it. */
function fitsPath(id: string): boolean {
  return (
    id.isWellFormed() && !/\p{Cc}/u.test(id) && !/^\.{1,2}$/.test(id) && encodeURIComponent(id).length <= MOST_IN_PATH
  );
}

function isResource(value: unknown): value is Resource {
  return isObject(value) && !Array.isArray(value);
}
