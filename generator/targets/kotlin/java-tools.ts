import { spawnSync } from 'node:child_process';

/** What the build of the Android library lacks on this machine, as a sentence without its beginning; nothing where all is there. */
export function findMissingJavaTool(): string | undefined {
  const java = /^javac (\d+)/.exec(readAnswer('javac', '-version'));
  if (java === null) return 'there is no JDK; install JDK 17 or newer.';
  if (Number(java[1]) < 17) return `the JDK is ${java[1]}; install JDK 17 or newer.`;
  const maven = /Apache Maven (\d+)\.(\d+)/.exec(readAnswer('mvn', '--version'));
  if (maven === null) return 'there is no Maven; install Maven 3.8 or newer.';
  if (Number(maven[1]) * 100 + Number(maven[2]) < 308) return `this is ${maven[0]}; install Maven 3.8 or newer.`;
  return undefined;
}

/** What a command says; nothing where there is none. */
function readAnswer(command: string, ...args: string[]): string {
  return spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '';
}
