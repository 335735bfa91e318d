import type { Contract, Located, Operation } from './contract.ts';
import { createIdentifiers } from './identifiers.ts';
import type { OpenApiDocument, PathItemObject, Reference } from './openapi.ts';
import { listMethods, readOperation, type Route } from './operations.ts';
import { fromPointer, isObject, pointerTo } from './pointers.ts';
import { resolveIn } from './references.ts';

/**
 * A request that the service itself sends: a webhook, or a callback of an operation. Its `path` is its name, or its target; its
 * `security` is what it says itself: that of the whole document is for those who call the service, and their secrets are not for receivers.
 */
export interface Hook extends Operation {
  /** Of a callback: where it is sent, as a runtime expression. */
  target?: Located<string>;
}

interface HookRoute {
  route: Route;
  target?: Located<string>;
}

/** The name is what it is called where it has no `operationId`. */
type NamedRoute = [name: string, hook: HookRoute];

/** The webhooks of a contract, and the callbacks of its operations, in the order of the document; a shared callback once. */
export function readHooks({ document, operations }: Pick<Contract, 'document' | 'operations'>): Hook[] {
  const identify = createIdentifiers();
  const callbacks = operations.flatMap((operation) => listCallbacks(document, operation));
  const found = new Map(
    [...listWebhooks(document), ...callbacks].map((named): [key: string, named: NamedRoute] => {
      const { route, target } = named[1];
      return [`${route.method} ${target?.pointer ?? pointerTo('/webhooks', route.path)}`, named];
    }),
  );
  return [...found.values()].map(([name, { route, ...more }]) => ({
    ...readOperation(document, identify(route.operation.value.operationId ?? name), route),
    security: route.operation.value.security ?? [],
    ...more,
  }));
}

function listWebhooks(document: OpenApiDocument): NamedRoute[] {
  return listItems(document['webhooks']).flatMap(([name, value]) => {
    const routes = listMethods(document, name, { value, pointer: pointerTo('/webhooks', name) });
    return nameRoutes(
      name,
      routes.map((route) => ({ route })),
    );
  });
}

/** A callback that is written in the components has its name from there. */
function listCallbacks(document: OpenApiDocument, { id, definition, pointer }: Operation): NamedRoute[] {
  return listItems<object | Reference>(definition['callbacks']).flatMap(([name, written]) => {
    const own = pointerTo(pointer, 'callbacks', name);
    const callback = resolveIn<object>(document, written, own);
    const hooks = listItems(callback.value).flatMap(([key, item]) => {
      const target = { value: key, pointer: pointerTo(callback.pointer, key) };
      return listMethods(document, key, { value: item, pointer: target.pointer }).map((route) => ({ route, target }));
    });
    const shared = fromPointer(callback.pointer).at(-1) ?? name;
    return nameRoutes(callback.pointer === own ? `${id} ${name}` : shared, hooks);
  });
}

function nameRoutes(name: string, hooks: readonly HookRoute[]): NamedRoute[] {
  return hooks.map((hook) => [hooks.length === 1 ? name : `${name} ${hook.route.method}`, hook]);
}

function listItems<Item = PathItemObject>(value: unknown): [name: string, item: Item][] {
  const items = Object.entries(isObject(value) ? value : {}).filter(([name]) => !name.startsWith('x-'));
  // Their structure has been checked.
  return items as [name: string, item: Item][];
}
