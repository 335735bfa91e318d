import { Command } from 'commander';
import { type Config, serve, SETTINGS } from '@branchline/server';
import { addSettings } from '../settings.ts';

/** `branchline serve`: the server. */
export function serveCommand(): Command {
  return addSettings(
    new Command('serve'),
    SETTINGS.map(({ name }) => name),
  )
    .description('Run the server until SIGTERM, SIGINT or SIGHUP.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ branchline serve\n  $ branchline serve --port 8080 --database /var/lib/branchline/branchline.db\n' +
        '  $ branchline serve --web-host branchline.example.com --oidc-issuer https://login.example.com --oidc-client-id branchline\n',
    )
    .action((config: Config) => serve(config));
}
