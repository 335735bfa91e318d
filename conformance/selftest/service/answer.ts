import { type Behaviour, type Call, type Kind, type Reply } from './behaviour.ts';

/** What the service says to a call, by what the behaviour decides at each step. */
export async function answer(call: Call, behaviour: Behaviour): Promise<Reply> {
  const reply = await said(call, behaviour);
  return behaviour.reply(reply, call, behaviour);
}

async function said(call: Call, behaviour: Behaviour): Promise<Reply> {
  const limited = behaviour.limit(call);
  if (limited !== undefined) return limited;
  const account = behaviour.accountOf(call);
  if (account === undefined) return error('unauthorized', 401, 'Unauthorized');
  if (!behaviour.mayUse(account, call.workspaceId)) {
    return error('foreign', 403, 'This account has no part in this workspace');
  }
  if (call.operation === 'export') return exportBranches(call, behaviour);

  const name = behaviour.nameIn(call.body);
  if (name === undefined || !behaviour.isValidName(name)) {
    const proposal = behaviour.suggest(name ?? '', call);
    return error('invalid', 400, `Invalid branch name, try "${proposal}" instead`);
  }
  const branch = await behaviour.create(name, account, call, behaviour);
  if (branch === undefined) return error('conflict', 409, 'Branch with this name already exists');
  return json('created', 201, {
    branchId: branch.id,
    branchName: branch.name,
    branchUrl: behaviour.urlOf(branch, call.workspaceId),
  });
}

function exportBranches(call: Call, behaviour: Behaviour): Reply {
  const rows = behaviour.exported(call).map((branch) => behaviour.row(branch));
  const body = behaviour.csv([behaviour.columns, ...rows]);
  return { kind: 'exported', status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' }, body };
}

function error(kind: Kind, status: number, sentence: string): Reply {
  return json(kind, status, { error: sentence });
}

function json(kind: Kind, status: number, body: Record<string, unknown>): Reply {
  return { kind, status, headers: { 'content-type': 'application/json' }, body };
}
