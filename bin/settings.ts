import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, type Setting, SETTINGS } from '../server/config.ts';
import { UserError } from '../server/user-error.ts';

/** Gives a command the named settings of the server as options; a flag wins over its environment variable. */
export function addSettings(command: Command, names: readonly (keyof Config)[]): Command {
  for (const setting of SETTINGS) {
    if (names.includes(setting.name)) command.addOption(optionOf(setting));
  }
  return command;
}

function optionOf(setting: Setting): Option {
  const option = new Option(setting.flag, setting.describe).env(setting.env).argParser(argument(setting.parse));
  return setting.default === undefined ? option : option.default(setting.default);
}

/** A parser of a value as commander wants it: its sentence stands behind the name of the option. */
export function argument<Value>(parse: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw error instanceof UserError ? new InvalidArgumentError(error.message) : error;
    }
  };
}
