import { join } from 'node:path';
import { plan } from '../../../generate.ts';
import { apply } from '../../../output.ts';
import { clientTarget } from '../client-target.ts';

/** A client without the types that its contract gives it. */
export interface LooseClient {
  [operation: string]: (request?: object, options?: object) => Promise<LooseAnswer>;
}

export interface LooseAnswer {
  status: number;
  type?: string;
  headers: Headers;
  body: unknown;
}

/** What a generated `client.ts` exports. */
export interface ClientModule {
  createClient(options: object): LooseClient;
  AnswerError: new (...parameters: never[]) => Error;
}

export async function generateClient(spec: string, out: string): Promise<void> {
  const { changes } = await plan({ spec, out, targets: [clientTarget] });
  await apply(out, changes);
}

export async function importClient(out: string): Promise<ClientModule> {
  const module: ClientModule = await import(join(out, 'client/generated/client.ts'));
  return module;
}
