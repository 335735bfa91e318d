import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';

export interface RunningServer {
  address: string;
  stop(): Promise<void>;
}

/** The scaffolded server as a process of its own, on a free port. */
export async function startServer(folder: string): Promise<RunningServer> {
  const child = spawn(process.execPath, [join(folder, 'server/main.ts')], { env: { ...process.env, PORT: '0' } });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /Listening on (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The server ended: ${errors}`)));
  });
  return {
    address,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      expect(code).toBe(0);
    },
  };
}
