import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '@branchline/command-line';
import { type Config, type Setting, SETTINGS } from '@branchline/server';

/** Adds the named server settings to a command as options; a flag wins over its environment variable. */
export function addSettings(command: Command, names: readonly (keyof Config)[]): Command {
  for (const setting of SETTINGS) {
    if (!names.includes(setting.name)) continue;
    for (const option of makeOptions(setting)) command.addOption(option);
  }
  return command;
}

function makeOptions(setting: Setting): Option[] {
  const [, name] = /^--\[no-\](.+)$/.exec(setting.flag) ?? [];
  return name === undefined ? [makeOption(setting, setting.flag)] : switchOptions(setting, name);
}

function makeOption(setting: Setting, flag: string): Option {
  const parse = setting.secret === true ? useSilently(setting) : argument(setting.parse);
  const option = new Option(flag, setting.describe).env(setting.env).argParser(parse);
  return setting.default === undefined ? option : option.default(setting.default);
}

/** Commander ignores an option's environment variable unless the option accepts a value. */
function switchOptions(setting: Setting, name: string): Option[] {
  const on = makeOption(setting, `--${name} [true|false]`);
  // Shown by help and errors.
  on.flags = setting.flag;
  return [on, new Option(`--no-${name}`).hideHelp()];
}

/** Commander repeats invalid values in its error; this omits secret ones. */
function useSilently({ flag, env, parse }: Setting): (text: string) => Config[keyof Config] {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw error instanceof UserError
        ? new UserError(`The value of ${flag} (${env}) is wrong. ${error.message}`)
        : error;
    }
  };
}

/** Wraps a parser for commander, which prints the sentence after the option's name. */
export function argument<Value>(parse: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw error instanceof UserError ? new InvalidArgumentError(error.message) : error;
    }
  };
}
