/** The server's public exports. Slow modules are loaded when they are called. */
import type { Administration, AdministrationConfig, OpenAdministrationOptions } from './accounts/administration.ts';
import type { Config } from './config.ts';
import contract from './generated/contract.json' with { type: 'json' };

export type { Administration, AdministrationConfig, OpenAdministrationOptions } from './accounts/administration.ts';
export type { ListedApiKey } from './accounts/api-keys.ts';
export { requireEmail } from './accounts/email.ts';
export { type Role, ROLES, type Scope, SCOPES } from './accounts/principals.ts';
export type { ListedServiceAccount } from './accounts/service-accounts.ts';
export type { IssuedLink } from './accounts/sign-in-links.ts';
export { signInUrl } from './accounts/sign-in-url.ts';
export { MOST_USERS } from './accounts/user-limit.ts';
export type { User } from './accounts/users.ts';
export { accountRate, type Config, type Setting, SETTINGS } from './config.ts';
export { quoteForShell } from './quote-for-shell.ts';
export { WorkspaceGone } from './storage/workspace-gone.ts';
export { resolveWebOrigin } from './web-host.ts';

/** The contract's schemas of values that the command line accepts, too. */
export const { CreateApiKeyRequest, CreateServiceAccountRequest, Email } = contract.components.schemas;

/**
 * Runs the server until SIGTERM, SIGINT or SIGHUP, or until its database is lost.
 *
 * @throws UserError if it can't start
 */
export async function serve(config: Config): Promise<void> {
  const { loadProgram } = await import('./program.ts');
  const program = await loadProgram();
  await program.serve(config);
}

/**
 * Opens the database and its administration. Close its `storage` afterwards.
 *
 * @throws UserError if the database or the hash key can't be used, or do not belong together
 */
export async function openAdministration(
  config: AdministrationConfig,
  options?: OpenAdministrationOptions,
): Promise<Administration> {
  const administration = await import('./accounts/administration.ts');
  return administration.openAdministration(config, options);
}

/**
 * Runs work on a database.
 *
 * @throws UserError instead of the error of a database that fails (a damaged file, a full disk, a server that went away), and of
 *   the file system
 */
export async function explainFailure<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const health = await import('./storage/sqlite/health.ts');
  return health.explainFailure(file, work);
}
