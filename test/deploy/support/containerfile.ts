/** A line of a Containerfile, such as `COPY --from=build /build .` */
export interface Instruction {
  name: string;
  /** `from` of `--from=build`. */
  flags: Readonly<Record<string, string>>;
  /** What follows, with the arguments of the build filled in. */
  text: string;
}

/** From one `FROM` to the next. */
export interface Stage {
  name: string | undefined;
  base: string;
  instructions: readonly Instruction[];
}

/** What a container is started with, as instructions of the last stage say. */
export interface ImageConfig {
  env: Readonly<Record<string, string>>;
  workdir: string;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  healthcheck: readonly string[];
  volumes: readonly string[];
}

/** Reads the part of the language that our Containerfile uses: no heredocs, no `ONBUILD`, arguments with defaults only. */
export function parseContainerfile(text: string): Stage[] {
  const args: Record<string, string> = {};
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const line of joinedLines(text)) {
    const instruction = parseInstruction(line, args);
    if (instruction.name === 'ARG') {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(instruction.text) ?? [];
      args[name] = value;
    } else if (instruction.name === 'FROM') {
      const [base = '', , name] = instruction.text.split(' ');
      stages.push({ base, name, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push(instruction);
    }
  }
  return stages;
}

function joinedLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function parseInstruction(line: string, args: Readonly<Record<string, string>>): Instruction {
  const [, name = '', flagText = '', rest = ''] = /^([A-Z]+)((?: +--[a-z-]+=\S+)*) +(.*)$/.exec(line) ?? [];
  const flags = [...flagText.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, flag = '', value = '']) => [flag, value]);
  // What an instruction in JSON has of `${…}` is for the program that it names.
  const text = rest.replaceAll(/\$\{(\w+)\}/g, (whole, arg: string) => args[arg] ?? whole);
  return { name, flags: Object.fromEntries(flags), text };
}

export function imageConfig({ instructions }: Stage): ImageConfig {
  const last = (name: string): string => instructions.findLast((one) => one.name === name)?.text ?? '';
  const words = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')));
  return {
    env: Object.assign({}, ...instructions.filter(({ name }) => name === 'ENV').map(({ text }) => pairs(text))),
    workdir: last('WORKDIR'),
    user: last('USER'),
    entrypoint: words(last('ENTRYPOINT')),
    command: words(last('CMD')),
    healthcheck: words(last('HEALTHCHECK')),
    volumes: last('VOLUME').split(' '),
  };
}

/** Of `ENV` and `LABEL`. */
export function pairs(text: string): Record<string, string> {
  const found = [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)];
  return Object.fromEntries(found.map(([, name = '', quoted, bare = '']) => [name, quoted ?? bare]));
}
