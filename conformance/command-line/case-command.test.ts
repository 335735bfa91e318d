import { expect, it } from 'vitest';
import type { Case } from '@branchline/contract';
import { prepareByCommand } from './case-command.ts';

const CASE: Case = {
  id: 'listPets-1',
  operationId: 'listPets',
  method: 'get',
  path: '/pets',
  title: 'lists pets',
  level: 'required',
  varies: { in: 'nothing' },
  request: { authentication: 'none' },
  expect: { statuses: [200] },
};

const prepare = async (command: string, timeLimit?: number) =>
  await prepareByCommand(command, timeLimit)(CASE, undefined);

it('says in a sentence why a command before a case has failed', async () => {
  await expect(prepare('sleep 30', 0.2)).rejects.toThrow(
    'The command before the case listPets-1 failed: it took more than 0.2 seconds',
  );
  await expect(prepare('echo no pets >&2; exit 1')).rejects.toThrow('listPets-1 failed: no pets');
  await expect(prepare('echo pets')).rejects.toThrow('listPets-1 wrote no JSON');
  await expect(prepare(`echo '{"path":{"petId":7}}'`)).rejects.toThrow('/path/petId must be string');
  expect(await prepare('cat >/dev/null')).toEqual({});
});
