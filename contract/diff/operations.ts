import type { Operation } from '../contract.ts';
import { pointerTo } from '../pointers.ts';
import { type Change, come, type Diff, gone, type OperationPair } from './change.ts';
import { judgeRemoval, readLifecycle } from './lifecycle.ts';

/** Operations of both contracts, the pairs of which are the same to a router: the names of path parameters do not matter. */
export interface MatchedOperations {
  pairs: OperationPair[];
  removed: Operation[];
  added: Operation[];
}

export function matchOperations({ old, new: after }: Diff): MatchedOperations {
  const before = new Map(old.operations.map((operation) => [routeOf(operation), operation]));
  const now = new Map(after.operations.map((operation) => [routeOf(operation), operation]));
  return {
    pairs: [...before].flatMap(([route, operation]) => {
      const other = now.get(route);
      return other === undefined ? [] : [{ old: operation, new: other }];
    }),
    removed: [...before].filter(([route]) => !now.has(route)).map(([, operation]) => operation),
    added: [...now].filter(([route]) => !before.has(route)).map(([, operation]) => operation),
  };
}

/** Names the operation as people do. */
export function nameOperation({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/** A path without the names of its parameters. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}

function routeOf({ method, path }: Operation): string {
  return `${method} ${shapeOf(path)}`;
}

export function describeRemoved({ new: after, today }: Diff, operation: Operation): Change {
  const hasPath = after.operations.some(({ path }) => shapeOf(path) === shapeOf(operation.path));
  const what = hasPath ? 'api' : 'api-path';
  const lifecycle = readLifecycle(operation.definition);
  const removal = judgeRemoval(lifecycle, today);
  const { sunset } = lifecycle;
  if (removal === 'untold')
    return gone(`${what}-removed-without-deprecation`, operation.pointer, 'the operation was removed');
  if (removal === 'told')
    return gone(`${what}-removed-with-deprecation`, operation.pointer, 'the deprecated operation was removed');
  const sentence = `the operation was removed before its sunset${sunset === 'invalid' ? '' : `, ${sunset}`}`;
  return gone(`${what}-removed-before-sunset`, operation.pointer, sentence);
}

export function describeAdded(operation: Operation): Change {
  return come('endpoint-added', operation.pointer, 'the operation is new');
}

/** Changes of an operation's name, tags and lifecycle. */
export function compareDefinitions(pair: OperationPair): Change[] {
  return [...compareIds(pair), ...compareTags(pair), ...compareLifecycles(pair)];
}

function compareIds({ old, new: after }: OperationPair): Change[] {
  const [before, now] = [old.definition.operationId, after.definition.operationId];
  if (before === now) return [];
  if (now === undefined) {
    return [
      gone(
        'api-operation-id-removed',
        pointerTo(old.pointer, 'operationId'),
        `the operationId "${before}" was removed`,
      ),
    ];
  }
  const pointer = pointerTo(after.pointer, 'operationId');
  if (before === undefined) return [come('api-operation-id-added', pointer, `the operationId is "${now}" now`)];
  return [come('api-operation-id-changed', pointer, `the operationId was "${before}" and is "${now}"`)];
}

function compareTags({ old, new: after }: OperationPair): Change[] {
  const [before, now] = [old.definition.tags ?? [], after.definition.tags ?? []];
  return [
    ...before
      .filter((tag) => !now.includes(tag))
      .map((tag) => gone('api-tag-removed', pointerTo(old.pointer, 'tags'), `the tag "${tag}" was removed`)),
    ...now
      .filter((tag) => !before.includes(tag))
      .map((tag) => come('api-tag-added', pointerTo(after.pointer, 'tags'), `the tag "${tag}" is new`)),
  ];
}

function compareLifecycles({ old, new: after }: OperationPair): Change[] {
  const [before, now] = [readLifecycle(old.definition), readLifecycle(after.definition)];
  const changes: Change[] = [];
  const deprecated = pointerTo(after.pointer, 'deprecated');
  const sunset = pointerTo(after.pointer, 'x-sunset');
  if (now.sunset === 'invalid' && before.sunset !== 'invalid') {
    changes.push(come('api-deprecated-sunset-parse', sunset, 'the sunset is no day such as 2026-12-31'));
  }
  if (before.isDeprecated && !now.isDeprecated) {
    const pointer = pointerTo(old.pointer, 'deprecated');
    changes.push(gone('endpoint-reactivated', pointer, 'the operation is not deprecated any more'));
  } else if (!before.isDeprecated && now.isDeprecated) {
    changes.push(
      now.sunset === undefined
        ? come('endpoint-deprecated', deprecated, 'the operation is deprecated now')
        : come('endpoint-deprecated-with-sunset', deprecated, `the operation is deprecated now, until ${now.sunset}`),
    );
  } else if (now.isDeprecated && before.sunset !== undefined && now.sunset === undefined) {
    changes.push(gone('sunset-deleted', pointerTo(old.pointer, 'x-sunset'), 'the sunset was removed'));
  } else if (now.isDeprecated && isEarlier(now.sunset, before.sunset)) {
    const sentence = `the sunset was ${before.sunset} and is ${now.sunset}`;
    changes.push(come('api-sunset-date-changed-too-small', sunset, sentence));
  }
  return changes;
}

export function isEarlier(now: string | undefined, before: string | undefined): boolean {
  return now !== undefined && before !== undefined && ![now, before].includes('invalid') && now < before;
}
