import { Command } from 'commander';
import { UserError } from '@branchline/command-line';
import { administer, type AdministerOptions, administers, forScripts, readableTime } from '../administer.ts';
import { printJson, printLine, printProgress, printRows } from '../print.ts';

/** `branchline workspace`: the workspaces of this installation. */
export function workspaceCommand(): Command {
  return new Command('workspace')
    .description('Create, list, rekey and delete workspaces.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(rekey())
    .addCommand(remove())
    .addHelpText('after', '\nExample:\n  $ branchline workspace create shop\n');
}

function create(): Command {
  return administers(new Command('create'))
    .description('Create a workspace.')
    .argument('<id>', 'its id in URLs: lowercase letters, digits and hyphens')
    .addHelpText('after', '\nExample:\n  $ branchline workspace create shop\n')
    .action((id: string, options: AdministerOptions) =>
      administer(
        options,
        async ({ workspaces }) => {
          const workspace = await workspaces.create(id);
          if (options.json === true) return printJson(forScripts(workspace));
          printLine(
            `Created the workspace "${id}". Next, for people: branchline user invite --workspace ${id} --email you@example.com --role admin\n` +
              `For programs: branchline account create --workspace ${id} --name ci --email you@example.com`,
          );
        },
        { create: true },
      ),
    );
}

function list(): Command {
  return administers(new Command('list'))
    .description('List the workspaces.')
    .addHelpText('after', '\nExample:\n  $ branchline workspace list --json\n')
    .action((options: AdministerOptions) =>
      administer(options, async ({ workspaces }) => {
        const all = await workspaces.list();
        if (options.json === true) return printJson(all.map(forScripts));
        await printRows(
          all.map(({ workspaceId, createdAt }) => ({ workspaceId, createdAt: readableTime(createdAt) })),
          options,
        );
      }),
    );
}

function rekey(): Command {
  return administers(new Command('rekey'))
    .description(
      'Move a workspace whose hash key was lost to the current one. Its accounts and API keys are deleted and its people signed out; everything else stays.',
    )
    .argument('<id>', 'its id')
    .option('--yes', 'really delete its accounts and API keys')
    .addHelpText('after', '\nExample:\n  $ branchline workspace rekey shop --yes\n')
    .action((id: string, options: AdministerOptions & { yes?: boolean }) => {
      // Before a key is made for it.
      if (options.yes !== true) {
        throw new UserError(
          `This deletes the accounts and API keys of the workspace "${id}", for good, and signs its people out. Add --yes to do it.`,
        );
      }
      return administer(
        options,
        async ({ workspaces }) => {
          await workspaces.rekey(id, { onProgress: printProgress('sessions and links') });
          if (options.json === true) return printJson({ rekeyed: id });
          printLine(
            `The workspace "${id}" now uses the current hash key, and has no accounts. Create new ones; people sign in again. ` +
              'Servers that run with another key have to be started again with this one.',
          );
        },
        { rekeying: id },
      );
    });
}

function remove(): Command {
  return administers(new Command('delete'))
    .description('Delete a workspace with its accounts, keys, branches and observed events.')
    .argument('<id>', 'its id')
    .option('--yes', 'really delete everything in it')
    .addHelpText('after', '\nExample:\n  $ branchline workspace delete shop --yes\n')
    .action((id: string, options: AdministerOptions & { yes?: boolean }) =>
      administer(options, async ({ workspaces }) => {
        await workspaces.requireDeletable(id);
        if (options.yes !== true) {
          throw new UserError(
            `This deletes the workspace "${id}" with its accounts, keys, branches and observed events, for good; its id can never be used again. Add --yes to do it.`,
          );
        }
        await workspaces.delete(id, { onProgress: printProgress('rows'), onWait: printWaiting });
        if (options.json === true) return printJson({ deleted: id });
        printLine(`Deleted the workspace "${id}".`);
      }),
    );
}

/** On stderr, as all that tells how far work is. */
function printWaiting(): void {
  process.stderr.write('Waiting for another deletion that is under way, or was killed less than a minute ago …\n');
}
