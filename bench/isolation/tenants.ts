import type { Command } from './installation.ts';

/** A workspace, and what its clients send. */
export interface Tenant {
  workspace: string;
  /** A service account. */
  account: Record<string, string>;
  /** An API key. */
  app: Record<string, string>;
  /** Paths of its operations. */
  branches: string;
  export: string;
}

/** Where all apps send their batches. */
export const INGEST_PATH = '/inspector/batches/v1';

const JSON_BODY = { 'content-type': 'application/json' };

/** For an account that fills a workspace or works steadily. */
export const UNLIMITED = ['--rate-limit', '10000'];

/** Gives a workspace that exists an account, with these flags, and a key. */
export async function newTenant(workspace: string, command: Command, ...flags: string[]): Promise<Tenant> {
  const account = await newAccount(workspace, command, ...flags);
  const app = await newApp(workspace, 'app', command);
  return {
    workspace,
    account,
    app,
    branches: `/workspaces/${workspace}/branches/v1`,
    export: `/workspaces/${workspace}/branches/export/v1`,
  };
}

export async function newAccount(
  workspace: string,
  command: Command,
  ...flags: string[]
): Promise<Record<string, string>> {
  const place = ['--workspace', workspace, '--name', 'bench', '--email', 'bench@example.com'];
  const { name, secret } = await command<{ name: string; secret: string }>('account', 'create', ...place, ...flags);
  return { ...JSON_BODY, authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` };
}

/** An API key of another app. */
export async function newApp(workspace: string, source: string, command: Command): Promise<Record<string, string>> {
  const { apiKey } = await command<{ apiKey: string }>('key', 'create', '--workspace', workspace, '--source', source);
  return { ...JSON_BODY, 'api-key': apiKey };
}
