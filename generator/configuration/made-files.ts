import { ToolError } from '../tool-error.ts';
import { type GeneratedFile, type Target } from '../target.ts';

/**
 * A target of others, whose files are looked at before anything is done with them.
 *
 * @param place - where it stands, for errors
 */
export function guardTarget(target: Target, place: string): Target {
  return {
    ...target,
    async files(contract, standing, choices) {
      const refuse = (why: string, cause?: unknown): never => {
        throw new ToolError(`${place}: the target "${target.name}" ${why}.`, { cause });
      };
      let made: unknown;
      try {
        made = await target.files(contract, standing, choices);
      } catch (error) {
        return refuse(
          `has failed: ${error instanceof Error ? error.message.replace(/\.$/, '') : String(error)}`,
          error,
        );
      }
      if (!Array.isArray(made) || made.length === 0) return refuse('makes no files');
      const wrong = made.find((file: unknown) => !isFile(file));
      if (wrong !== undefined) {
        refuse(
          `makes a file that is none: ${JSON.stringify(wrong)}; it needs "path", "text" and the "kind" generated or scaffold`,
        );
      }
      const files: GeneratedFile[] = made;
      const outside = files.find(({ path }) => /^([/\\]|[a-z]:)|\\|(^|\/)\.\.?(\/|$)/i.test(path));
      if (outside !== undefined)
        refuse(`writes to ${outside.path}; a path is relative to the output folder, and stays within it`);
      const loose = files.find(
        ({ kind, path }) => kind === 'generated' && !path.split('/').slice(0, -1).includes('generated'),
      );
      if (loose !== undefined) refuse(`writes to ${loose.path}; generated files stand in a folder named "generated"`);
      return files;
    },
  };
}

function isFile(file: unknown): file is GeneratedFile {
  if (typeof file !== 'object' || file === null) return false;
  const { path, text, kind }: Partial<Record<keyof GeneratedFile, unknown>> = file;
  return (
    typeof path === 'string' && path !== '' && typeof text === 'string' && (kind === 'generated' || kind === 'scaffold')
  );
}
