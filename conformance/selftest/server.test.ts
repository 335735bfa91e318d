import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listen } from './service/listen.ts';

const program = fileURLToPath(new URL('server.ts', import.meta.url));

describe('the process of the independent service', () => {
  it('says where it listens and whom it knows, and has the fault that is asked for', async () => {
    const child = spawn(process.execPath, [program, '--fault', 'created-status-200']);
    const [line]: string[] = await once(createInterface({ input: child.stdout }), 'line');
    const { baseUrl, accounts }: { baseUrl: string; accounts: { workspaceId: string; account: string }[] } = JSON.parse(
      line ?? '',
    );
    const [first] = accounts;
    const response = await fetch(`${baseUrl}/workspaces/${first?.workspaceId}/branches/v1`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(first?.account ?? '')}` },
      body: '{"name":"a"}',
    });
    expect(response.status).toBe(200);
    child.kill();
    await once(child, 'exit');
  });

  it('is seeded by a command, as the suite gives it to a shell', async () => {
    const service = await listen();
    const [branch] = service.world.workspaces.get('south') ?? [];
    const environment = { BRANCHLINE_WORKSPACE_ID: 'south', BRANCHLINE_BRANCH_ID: branch?.id };
    const seeded = (status: string) =>
      run([fileURLToPath(new URL('seed.ts', import.meta.url)), service.origin], {
        ...environment,
        BRANCHLINE_BRANCH_STATUS: status,
      });
    expect(await seeded('Approved')).toEqual({ code: 0, stderr: '' });
    expect(branch?.status).toBe('Approved');
    expect(await seeded('Gone')).toMatchObject({ code: 1, stderr: expect.stringContaining('"Gone" is no status') });
    await service.close();
  });

  it('knows no fault that it does not list', async () => {
    expect(await run([program, '--fault', 'none-such'])).toEqual({
      code: 2,
      stderr: 'There is no fault or variant "none-such"; --list names them.\n',
    });
  });
});

function run(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; stderr: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; stderr: string }>();
  const child = execFile(
    process.execPath,
    args,
    { env: { ...process.env, ...environment } },
    (_error, _stdout, stderr) => resolve({ code: child.exitCode, stderr }),
  );
  return promise;
}
