import { Command, Option } from 'commander';
import { requireReader, UserError } from '@branchline/command-line';
import { accountRate, type ListedServiceAccount, quoteForShell, type Scope, SCOPES } from '@branchline/server';
import {
  administer,
  type AdministerOptions,
  administers,
  forScripts,
  readableTime,
  readableTimeOrNever,
  readAll,
  timeForScripts,
} from '../administer.ts';
import { accountName, emailAddress } from '../contract-values.ts';
import { printJson, printLine, printRows } from '../print.ts';
import { argument } from '../settings.ts';

interface CreateOptions extends AdministerOptions {
  workspace: string;
  name: string;
  email: string;
  scope: Scope[];
  rateLimit?: number;
  rateLimitMode?: 'soft' | 'hard';
}

/** `branchline account`: the service accounts of a workspace. */
export function accountCommand(): Command {
  return new Command('account')
    .description('Create, list and delete service accounts.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(remove())
    .addHelpText(
      'after',
      '\nExample:\n  $ branchline account create --workspace demo --name ci --email ci@example.com\n',
    );
}

function create(): Command {
  return administers(new Command('create'))
    .description('Create a service account and show its secret only once.')
    .requiredOption('--workspace <id>', 'the workspace that it belongs to')
    .requiredOption('--name <name>', 'what it is for; a random suffix is added', argument(accountName))
    .requiredOption(
      '--email <address>',
      "stands as the creator's e-mail of the branches that it creates",
      argument(emailAddress),
    )
    .addOption(new Option('--scope <scopes...>', 'what it may do').choices(SCOPES).default([...SCOPES], 'all scopes'))
    .addOption(
      new Option('--rate-limit <n>', "requests per second for each operation, instead of the server's").argParser(
        argument(accountRate),
      ),
    )
    .addOption(
      new Option('--rate-limit-mode <mode>', "soft or hard, instead of the server's").choices(['soft', 'hard']),
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ branchline account create --workspace demo --name ci --email ci@example.com --scope branches:create branches:export\n',
    )
    .action((options: CreateOptions) =>
      administer(options, async ({ accounts }) => {
        const { account, secret } = await accounts.create({
          workspaceId: options.workspace,
          label: options.name,
          email: options.email,
          scopes: options.scope,
          ratePerSecond: options.rateLimit ?? null,
          rateEnforcement: options.rateLimitMode ?? null,
        });
        requireReader();
        if (options.json === true) return printJson({ ...accountForScripts(account), secret });
        printLine(`Created the service account. Its secret is shown only once:\n`);
        printLine(`  id      ${account.accountId}\n  name    ${account.name}\n  secret  ${secret}\n`);
        printLine(`Use them as name:secret, for example with curl -u ${quoteForShell(`${account.name}:${secret}`)}`);
      }),
    );
}

function list(): Command {
  return administers(new Command('list'))
    .description('List the service accounts of a workspace.')
    .requiredOption('--workspace <id>', 'the workspace')
    .addHelpText('after', '\nExample:\n  $ branchline account list --workspace demo\n')
    .action((options: AdministerOptions & { workspace: string }) =>
      administer(options, async ({ accounts, workspaces }) => {
        await workspaces.require(options.workspace);
        const all = await readAll<ListedServiceAccount, [number, string]>(
          (after, limit) => accounts.list(options.workspace, after, limit),
          ({ createdAt, accountId }) => [createdAt, accountId],
        );
        if (options.json === true) return printJson(all.map(accountForScripts));
        await printRows(all.map(tableRow), options);
      }),
    );
}

function accountForScripts(account: ListedServiceAccount) {
  return { ...forScripts(account), lastUsedAt: timeForScripts(account.lastUsedAt) };
}

function tableRow(account: ListedServiceAccount): Record<string, string> {
  const { ratePerSecond, rateEnforcement } = account;
  return {
    id: account.accountId,
    name: account.name,
    email: account.email,
    scopes: account.scopes.join(', '),
    'rate limit': `${ratePerSecond === null ? "server's" : `${ratePerSecond}/s`}, ${rateEnforcement ?? "server's mode"}`,
    created: readableTime(account.createdAt),
    'last used': readableTimeOrNever(account.lastUsedAt),
  };
}

function remove(): Command {
  return administers(new Command('delete'))
    .description('Delete a service account. It stops working at once.')
    .argument('<id>', 'id of the account, as the list shows it')
    .requiredOption('--workspace <id>', 'the workspace that it belongs to')
    .addHelpText(
      'after',
      '\nExample:\n  $ branchline account delete 019a0b7a-11d2-7b1e-9a7b-0d0f5b9c1e22 --workspace demo\n',
    )
    .action((id: string, options: AdministerOptions & { workspace: string }) =>
      administer(options, async ({ accounts }) => {
        if (!(await accounts.delete(options.workspace, id))) throw unknownAccount(id, options.workspace);
        if (options.json === true) return printJson({ deleted: id });
        printLine(`Deleted the service account ${id}. It no longer works.`);
      }),
    );
}

function unknownAccount(id: string, workspaceId: string): UserError {
  return new UserError(
    `The workspace "${workspaceId}" has no service account with the id ${id}. See \`branchline account list --workspace ${workspaceId}\`.`,
  );
}
