import { isJsonObject, type Json, type Operation, type Path, withValueAt } from '@branchline/contract';
import type { ContractSession } from '../session.ts';
import { findBodySchema } from './fresh-body.ts';
import { isPluralOf, normalize } from './sources.ts';

/** Which resources a body may name. */
export interface Referring {
  /** Values of the path parameters of the request itself. */
  readonly path: Record<string, string>;
  /** They are made for this request alone. */
  readonly isFresh: boolean;
}

/**
 * Gives fields of bodies that name other resources the ids of such ones: those with the name of a path parameter, and those like
 * `bookId` and `book_ids` where there are `/books`.
 */
export class References {
  readonly #session: ContractSession;
  /** By name of a field: the path of what it names. */
  readonly #places = new Map<string, string | undefined>();
  readonly #needs = new Map<Operation, readonly Operation[]>();

  constructor(session: ContractSession) {
    this.#session = session;
  }

  /** The body with as many ids of what the server has as there are, and its schema allows. */
  async fill(operationId: string, body: Json, referring: Referring): Promise<Json> {
    const operation = this.#session.operation(operationId);
    const pointer = findBodySchema(this.#session, operationId);
    if (operation === undefined || pointer === undefined) return body;
    const accepts = this.#session.requestSchemas(pointer);
    let filled = body;
    for (const { at, name } of listFields(body)) {
      const id = await this.#findId(operation, name, referring);
      if (id === undefined) continue;
      const fitting = [id, Number(id)]
        .map((value) => withValueAt(filled, at, value))
        .find((changed) => changed !== undefined && accepts(changed));
      filled = fitting ?? filled;
    }
    return filled;
  }

  async #findId(operation: Operation, name: string, { path, isFresh }: Referring): Promise<string | undefined> {
    const own = listParameters(operation.path).find((one) => normalize(one) === normalize(name));
    if (own !== undefined && !isGeneral(own)) return path[own];
    const place = this.#findPlace(name);
    if (place === undefined || namesItself(operation, place, name)) return undefined;
    if (this.#leadsTo(this.#listSources(place), operation)) return undefined;
    const names = listParameters(operation.path).filter((one) => Object.hasOwn(path, one));
    const given = Object.fromEntries(names.map((one) => [one, path[one] ?? '']));
    const values = await this.#session.resources.supply(place, { given, isFresh });
    return values[listParameters(place).at(-1) ?? ''];
  }

  #findPlace(name: string): string | undefined {
    if (!this.#places.has(name)) this.#places.set(name, findPlace(this.#session.operations, name));
    return this.#places.get(name);
  }

  /** The operations that give the values of the parameters of a path. */
  #listSources(path: string): Operation[] {
    const parameters = this.#session.resources.parameters(path);
    return parameters.flatMap(({ sources }) => sources.map(({ operation }) => operation));
  }

  /** Whether some operations need what another one makes: to ask them for what that one needs would never end. */
  #leadsTo(from: readonly Operation[], goal: Operation): boolean {
    const seen = new Set<Operation>();
    const visit = (operation: Operation): boolean => {
      if (operation === goal) return true;
      if (seen.has(operation)) return false;
      seen.add(operation);
      return this.#listNeeds(operation).some(visit);
    };
    return from.some(visit);
  }

  /** The operations without which an ordinary request can't be made. */
  #listNeeds(operation: Operation): readonly Operation[] {
    const known = this.#needs.get(operation);
    if (known !== undefined) return known;
    const { body: patch } = this.#session.ordinaryCase(operation.id)?.request ?? {};
    const body = patch === undefined || 'text' in patch ? undefined : this.#session.file.bodies[patch.base];
    const places = listFields(body ?? null).flatMap(({ name }) => this.#findPlace(name) ?? []);
    const needs = [operation.path, ...places].flatMap((path) => this.#listSources(path));
    this.#needs.set(operation, needs);
    return needs;
  }
}

interface Field {
  readonly at: Path;
  /** Of a list, that of one of its items. */
  readonly name: string;
}

/** Every text and number in a body. */
function listFields(value: Json, at: Path = [], name = ''): Field[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => listFields(item, [...at, String(index)], name.replace(/s$/i, '')));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([field, member]) => listFields(member, [...at, field], field));
  return typeof value === 'string' || typeof value === 'number' ? [{ at, name }] : [];
}

/** The path of what a field names, up to its id. */
function findPlace(operations: readonly Operation[], name: string): string | undefined {
  const wanted = normalize(name);
  const entity = /^(.{3,})(?:id|uuid)$/.exec(wanted)?.[1];
  const paths = [...new Set(operations.map(({ path }) => path))].toSorted((a, b) => a.length - b.length);
  const items = paths.filter((path) => /\/\{[^{}]+\}$/.test(path));
  const named = items.find((path) => {
    const last = listParameters(path).at(-1) ?? '';
    return normalize(last) === wanted && !isGeneral(last);
  });
  if (named !== undefined || entity === undefined) return named;
  const isCollection = (path: string): boolean => isPluralOf(entity, path.split('/').at(-1) ?? '');
  const collection = paths.find(isCollection);
  return (
    items.find((path) => isCollection(path.slice(0, path.lastIndexOf('/')))) ??
    (collection === undefined ? undefined : `${collection}/{${name}}`)
  );
}

/** A name that is no id is chosen by whoever creates: that of a user under `/users`. */
function namesItself({ path }: Operation, place: string, name: string): boolean {
  const collection = place.slice(0, place.lastIndexOf('/'));
  return !/(?:id|uuid)$/.test(normalize(name)) && `${path}/`.startsWith(`${collection}/`);
}

const GENERAL = new Set(['id', 'uuid', 'key', 'name', 'slug', 'code', 'type', 'title', 'status', 'version', 'value']);

/** A name that fields of many things have. */
function isGeneral(name: string): boolean {
  return GENERAL.has(normalize(name));
}

function listParameters(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}
