import type { Contract, Position } from '../contract.ts';
import { isObject, pointerTo } from '../pointers.ts';
import { compareRequestBodies } from './bodies.ts';
import { type Change, come, Diff, gone } from './change.ts';
import type { Level } from './levels.ts';
import { compareDefinitions, describeAdded, describeRemoved, matchOperations, nameOperation } from './operations.ts';
import { findNearestPlace } from './nearest-place.ts';
import { compareParameters } from './parameters.ts';
import { namePlace } from './place.ts';
import { compareResponses } from './responses.ts';
import { compareRequirements, compareSecuritySchemes } from './security.ts';

/** A change between two contracts. */
export interface Finding {
  /** The rule that tells of it, such as `request-property-became-required`. */
  rule: string;
  /** What it means to who calls the service, and to who implements it. */
  clients: Level;
  servers: Level;
  /** Where it is, in words that stay the same when lines are moved: `Pet.tags[]`, `GET /pets query limit`. */
  place: string;
  /** What has changed there. */
  sentence: string;
  /** The operations that it is about, such as `GET /pets`; none where it is about the document. */
  operations: readonly string[];
  /** Where it is written: in the new document, or in the old one where it is gone. */
  position: Position & { side: 'old' | 'new' };
  /** The nearest place that the new document has: the same, or what it stood in before it was gone. */
  nearest: Position;
}

export interface DiffOptions {
  /** What day it is: what is deprecated may go after its sunset. */
  today: Date;
}

/** What has changed from one contract to the next, in the order of the text; each change once, however many operations have it. */
export function diffContracts(old: Contract, after: Contract, { today }: DiffOptions): Finding[] {
  const diff = new Diff(old, after, today.toISOString().slice(0, 10));
  const { pairs, removed, added } = matchOperations(diff);
  const found = new Map<string, Finding & { operations: string[] }>();
  const add = (change: Change, operation?: string): void => {
    const key = [
      change.rule,
      change.side,
      change.pointer,
      change.sentence,
      change.levels.clients,
      change.levels.servers,
    ].join('\n');
    const finding = found.get(key) ?? { ...locate(diff, change), operations: [] };
    if (operation !== undefined && !finding.operations.includes(operation)) finding.operations.push(operation);
    found.set(key, finding);
  };
  for (const operation of removed) add(describeRemoved(diff, operation), nameOperation(operation));
  for (const operation of added) add(describeAdded(operation), nameOperation(operation));
  for (const pair of pairs) {
    const changes = [
      ...compareDefinitions(pair),
      ...compareRequirements(pair),
      ...compareParameters(diff, pair),
      ...compareRequestBodies(diff, pair),
      ...compareResponses(diff, pair),
    ];
    for (const change of changes) add(change, nameOperation(pair.new));
  }
  for (const change of [...compareSecuritySchemes(diff), ...compareWebhooks(diff)]) add(change);
  return [...found.values()].toSorted(
    ({ position: a }, { position: b }) =>
      (a.file ?? '').localeCompare(b.file ?? '', 'en') || a.line - b.line || a.column - b.column,
  );
}

function locate(diff: Diff, { rule, levels, sentence, side, pointer }: Change): Omit<Finding, 'operations'> {
  const contract = diff[side];
  const position = contract.locate(pointer);
  return {
    rule,
    ...levels,
    place: namePlace(contract.document, pointer),
    sentence,
    position: { ...position, side },
    nearest:
      side === 'new' ? position : diff.new.locate(findNearestPlace(diff.old.document, diff.new.document, pointer)),
  };
}

function compareWebhooks({ old, new: after }: Diff): Change[] {
  const [before, now] = [old, after].map(({ document }) =>
    isObject(document['webhooks']) ? document['webhooks'] : {},
  );
  return Object.keys({ ...before, ...now }).flatMap((name) => {
    const pointer = pointerTo('/webhooks', name);
    if (now === undefined || !Object.hasOwn(now, name))
      return [gone('webhook-removed', pointer, `the webhook "${name}" was removed`)];
    if (before === undefined || !Object.hasOwn(before, name))
      return [come('webhook-added', pointer, `the webhook "${name}" is new`)];
    return [];
  });
}
