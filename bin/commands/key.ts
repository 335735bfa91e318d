import { Command, Option } from 'commander';
import { requireReader, UserError } from '@branchline/command-line';
import type { ListedApiKey } from '@branchline/server';
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
import { samplingRate, sourceName } from '../contract-values.ts';
import { printJson, printLine, printRows } from '../print.ts';
import { argument } from '../settings.ts';

interface CreateOptions extends AdministerOptions {
  workspace: string;
  source: string;
  samplingRate: number;
}

/** `branchline key`: the Inspector API keys of a workspace. */
export function keyCommand(): Command {
  return new Command('key')
    .description('Create, list and delete Inspector API keys.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(remove())
    .addHelpText('after', '\nExample:\n  $ branchline key create --workspace demo --source android-shop\n');
}

function create(): Command {
  return administers(new Command('create'))
    .description('Create an API key for an app and show it only once.')
    .requiredOption('--workspace <id>', 'the workspace that it belongs to')
    .requiredOption('--source <app>', 'the app that it ships in', argument(sourceName))
    .addOption(
      new Option('--sampling-rate <share>', 'the share of events, 0 to 1, that the library is asked to report')
        .argParser(argument(samplingRate))
        .default(1),
    )
    .addHelpText('after', '\nExample:\n  $ branchline key create --workspace demo --source android-shop\n')
    .action((options: CreateOptions) =>
      administer(options, async ({ keys }) => {
        const { key, text } = await keys.create({
          workspaceId: options.workspace,
          source: options.source,
          samplingRate: options.samplingRate,
        });
        requireReader();
        if (options.json === true) return printJson({ ...keyForScripts(key), apiKey: text });
        printLine(`Created the API key ${key.keyId} for "${key.source}". It is shown only once:\n`);
        printLine(`  ${text}`);
      }),
    );
}

function list(): Command {
  return administers(new Command('list'))
    .description('List the API keys of a workspace.')
    .requiredOption('--workspace <id>', 'the workspace')
    .addHelpText('after', '\nExample:\n  $ branchline key list --workspace demo\n')
    .action((options: AdministerOptions & { workspace: string }) =>
      administer(options, async ({ keys, workspaces }) => {
        await workspaces.require(options.workspace);
        const all = await readAll<ListedApiKey, [number, string]>(
          (after, limit) => keys.list(options.workspace, after, limit),
          ({ createdAt, keyId }) => [createdAt, keyId],
        );
        if (options.json === true) return printJson(all.map(keyForScripts));
        await printRows(
          all.map(({ keyId, source, samplingRate, createdAt, use }) => ({
            id: keyId,
            source,
            'sampling rate': String(samplingRate),
            created: readableTime(createdAt),
            'last used': readableTimeOrNever(use?.lastUsedAt ?? null),
          })),
          options,
        );
      }),
    );
}

function keyForScripts({ use, ...key }: ListedApiKey) {
  return { ...forScripts(key), lastUsedAt: timeForScripts(use?.lastUsedAt ?? null) };
}

function remove(): Command {
  return administers(new Command('delete'))
    .description('Delete an API key. It stops working at once.')
    .argument('<id>', 'id of the key, as the list shows it')
    .requiredOption('--workspace <id>', 'the workspace that it belongs to')
    .addHelpText(
      'after',
      '\nExample:\n  $ branchline key delete 019a0b7c-3f7e-7c31-8f5e-2d9f0f6f2a11 --workspace demo\n',
    )
    .action((id: string, options: AdministerOptions & { workspace: string }) =>
      administer(options, async ({ keys }) => {
        if (!(await keys.delete(options.workspace, id))) throw unknownKey(id, options.workspace);
        if (options.json === true) return printJson({ deleted: id });
        printLine(`Deleted the API key ${id}. It no longer works.`);
      }),
    );
}

function unknownKey(id: string, workspaceId: string): UserError {
  return new UserError(
    `The workspace "${workspaceId}" has no API key with the id ${id}. See \`branchline key list --workspace ${workspaceId}\`.`,
  );
}
