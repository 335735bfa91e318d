import { accessSync, constants } from 'node:fs';

/** A sentence on a folder in which what slow clients have not taken yet can't wait; undefined for any other. */
export function describeUnwritableScratch(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `No file can be made in the folder for temporary files (${reason}), so exports break off whose clients don't keep up. Name another folder by TMPDIR.`;
  }
}
