import type { AddHelpTextContext, Command } from 'commander';

/** Text for the end of a command's help, in which `{command}` stands for how the command is called: it has two programs. */
export function helpText(text: string): (context: AddHelpTextContext) => string {
  return ({ command }) => text.replaceAll('{command}', fullName(command));
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}
