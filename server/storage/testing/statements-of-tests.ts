import { type KyselyPlugin, type RootOperationNode, SelectModifierNode, sql } from 'kysely';
import type { Storage } from '../storage.ts';

const MARK = '/* a test */';

/**
 * The storage as a test looks into it or fills it. Its statements are marked as the test's own, which may be across workspaces,
 * other than those of the server.
 */
export function ofTest(storage: Storage): Storage {
  return {
    ...storage,
    db: storage.db.withPlugin(MARKING),
    write: (work) => storage.write((transaction) => work(transaction.withPlugin(MARKING))),
    stream: (query, holder) => storage.stream((db) => query(db.withPlugin(MARKING)), holder),
  };
}

export function isOfATest(statement: string): boolean {
  return statement.endsWith(MARK);
}

const MARKING: KyselyPlugin = {
  transformQuery: ({ node }) => markStatement(node),
  transformResult: async ({ result }) => result,
};

function markStatement(node: RootOperationNode): RootOperationNode {
  const mark = sql.raw(MARK).toOperationNode();
  switch (node.kind) {
    case 'RawNode':
      return { ...node, sqlFragments: [...node.sqlFragments, ''], parameters: [...node.parameters, mark] };
    case 'SelectQueryNode':
      return {
        ...node,
        endModifiers: [...(node.endModifiers ?? []), SelectModifierNode.createWithExpression(mark)],
      };
    case 'InsertQueryNode':
    case 'UpdateQueryNode':
    case 'DeleteQueryNode':
      return { ...node, endModifiers: [...(node.endModifiers ?? []), mark] };
    default:
      return node;
  }
}
