import { Command, Option } from 'commander';
import { requireReader, UserError } from '@branchline/command-line';
import {
  type Administration,
  type Config,
  type IssuedLink,
  MOST_USERS,
  requireEmail,
  type Role,
  ROLES,
  signInUrl,
  type User,
  resolveWebOrigin,
} from '@branchline/server';
import {
  administer,
  type AdministerOptions,
  administers,
  forScripts,
  readableTime,
  readableTimeOrNever,
  timeForScripts,
} from '../administer.ts';
import { printJson, printLine, printRows } from '../print.ts';
import { addSettings, argument } from '../settings.ts';

interface UserOptions extends AdministerOptions {
  workspace: string;
  email: string;
}

interface LinkOptions extends UserOptions, Pick<Config, 'host' | 'port' | 'webHost'> {
  origin?: string;
}

/** `branchline user`: the people of a workspace. */
export function userCommand(): Command {
  return new Command('user')
    .description('Invite, list and remove the people of a workspace.')
    .addCommand(invite())
    .addCommand(list())
    .addCommand(link())
    .addCommand(remove())
    .addHelpText(
      'after',
      '\nExample:\n  $ branchline user invite --workspace demo --email ada@example.com --role admin\n',
    );
}

function invite(): Command {
  return makesLink(new Command('invite'))
    .description('Add a person and print a link that signs them in once; for an existing person, only print the link.')
    .addOption(new Option('--role <role>', 'what they may do; who is new needs one').choices(ROLES))
    .addHelpText(
      'after',
      '\nExample:\n  $ branchline user invite --workspace demo --email ada@example.com --role admin\n',
    )
    .action((options: LinkOptions & { role?: Role }) =>
      administer(options, async (administration) => {
        const { workspace: workspaceId, email, role } = options;
        await administration.workspaces.require(workspaceId);
        if (role === undefined && (await administration.users.findByEmail(workspaceId, email)) === undefined) {
          throw new UserError(
            `${email} is new to the workspace "${workspaceId}". Say with --role what they may do: ${ROLES.join(', ')}.`,
          );
        }
        const invited =
          role === undefined ? 'known' : await administration.users.invite({ workspaceId, email, role, by: undefined });
        if (invited === 'full') {
          throw new UserError(
            `The workspace "${workspaceId}" has ${MOST_USERS.toLocaleString('en')} users, as many as it can have. Remove somebody first.`,
          );
        }
        if (invited === 'known') {
          const known = await linkAgain(administration, options);
          return printLink(
            `${known.user.email} belongs to the workspace already, as ${known.user.role}.`,
            known,
            options,
          );
        }
        printLink(`Added ${email} as ${role}.`, invited, options);
      }),
    );
}

function list(): Command {
  return administers(new Command('list'))
    .description('List the people of a workspace.')
    .requiredOption('--workspace <id>', 'the workspace')
    .addHelpText('after', '\nExample:\n  $ branchline user list --workspace demo\n')
    .action((options: AdministerOptions & { workspace: string }) =>
      administer(options, async ({ users, workspaces }) => {
        await workspaces.require(options.workspace);
        const all = await users.page(options.workspace, undefined, MOST_USERS);
        if (options.json === true) return printJson(all.map(userForScripts));
        await printRows(all.map(tableRow), options);
      }),
    );
}

function link(): Command {
  return makesLink(new Command('link'))
    .description(
      'Print a link that signs a person in once and lets them choose a new password. Earlier links stop working.',
    )
    .addHelpText('after', '\nExample:\n  $ branchline user link --workspace demo --email ada@example.com\n')
    .action((options: LinkOptions) =>
      administer(options, async (administration) => {
        const made = await linkAgain(administration, options);
        printLink(`Created a link for ${made.user.email}. Earlier links no longer work.`, made, options);
      }),
    );
}

function remove(): Command {
  return names(administers(new Command('remove')))
    .description('Remove a person from a workspace. They are signed out at once.')
    .addHelpText('after', '\nExample:\n  $ branchline user remove --workspace demo --email ada@example.com\n')
    .action((options: UserOptions) =>
      administer(options, async (administration) => {
        const { workspaceId, userId, email } = await find(administration, options);
        const removed = await administration.users.remove({ workspaceId, userId, by: undefined });
        if (removed === 'notFound') throw unknown(options);
        if (removed === 'lastAdmin') {
          throw new UserError(
            `${email} is the last admin of the workspace "${workspaceId}", which needs one. Invite another one first.`,
          );
        }
        if (options.json === true) return printJson({ removed: userId });
        printLine(`Removed ${email} from the workspace "${workspaceId}", and signed them out.`);
      }),
    );
}

function names(command: Command): Command {
  return command
    .requiredOption('--workspace <id>', 'the workspace')
    .addOption(new Option('--email <address>', 'the person').argParser(argument(requireEmail)).makeOptionMandatory());
}

/** Adds the server's settings that determine the link, so that the operator need not repeat them. */
function makesLink(command: Command): Command {
  return addSettings(names(administers(command)), ['host', 'port', 'webHost']).addOption(
    new Option('--origin <url>', 'where people open the web application; by default what the settings say').argParser(
      argument(origin),
    ),
  );
}

function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new UserError(
    'It must be a URL such as https://web.example.com or http://localhost:3000, without user, path, query or fragment.',
  );
}

async function find({ users, workspaces }: Administration, options: UserOptions): Promise<User> {
  await workspaces.require(options.workspace);
  const user = await users.findByEmail(options.workspace, options.email);
  if (user === undefined) throw unknown(options);
  return user;
}

async function linkAgain(administration: Administration, options: UserOptions) {
  const user = await find(administration, options);
  const made = await administration.users.createLink({ ...user, by: undefined });
  if (made === 'notFound') throw unknown(options);
  return { user, link: made };
}

function unknown({ workspace, email }: UserOptions): UserError {
  return new UserError(
    `Nobody of the workspace "${workspace}" has the e-mail ${email}. See \`branchline user list --workspace ${workspace}\`.`,
  );
}

function printLink(
  sentence: string,
  { user, link: { token, expiresAt } }: { user: User; link: IssuedLink },
  options: LinkOptions,
): void {
  const url = signInUrl(options.origin ?? resolveWebOrigin(options), user.workspaceId, token);
  requireReader();
  if (options.json === true) {
    return printJson({ ...userForScripts(user), signInUrl: url, expiresAt: new Date(expiresAt).toISOString() });
  }
  printLine(`${sentence} This link is shown only once, and works once, until ${readableTime(expiresAt)}:\n`);
  printLine(`  ${url}`);
}

function userForScripts(user: User) {
  return { ...forScripts(user), lastSignInAt: timeForScripts(user.lastSignInAt) };
}

function tableRow({ userId, email, role, createdAt, lastSignInAt }: User): Record<string, string> {
  return {
    id: userId,
    email,
    role,
    added: readableTime(createdAt),
    'last sign-in': readableTimeOrNever(lastSignInAt),
  };
}
