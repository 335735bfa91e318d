import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../programs.ts';
import { fromRoot } from '../subjects/subject.ts';

const HANDLERS = `import type { Handlers } from './generated/handlers.ts';

export const handlers: Handlers = {
  async getThing({ params }) {
    return { status: 200, body: { id: params.id, name: 'a thing' } };
  },
  async createThing({ body }) {
    return { status: 201, body: { id: 'new', name: body.name } };
  },
};
`;

/**
 * Generates a server into a folder, as a user does.
 *
 * @returns the path of a program that starts it on a free port, as in production
 */
export async function makeServer(spec: string, folder: string, handlers?: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await symlink(fromRoot('node_modules'), join(folder, 'node_modules'));
  await run(process.execPath, [fromRoot('bin/branchline.js'), 'generate', 'server', '--spec', spec, '--out', folder]);
  if (handlers !== undefined) await writeFile(join(folder, 'server/handlers.ts'), handlers);
  const program = join(folder, 'start.ts');
  await writeFile(
    program,
    `process.env['PORT'] = '0';\nprocess.env['NODE_ENV'] = 'production';\nawait import('./server/main.ts');\n`,
  );
  return program;
}

/** The server of `things.yaml`, with handlers that answer what those by hand do. */
export function makeThings(folder: string): Promise<string> {
  return makeServer(fromRoot('bench/generation/things.yaml'), folder, HANDLERS);
}
