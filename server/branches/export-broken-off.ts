import { Unavailable } from '../storage/transient-errors.ts';

/** Why an export that was under way can't be complete, which is no fault of the server. */
export class ExportBrokenOff extends Unavailable {
  override readonly name = 'ExportBrokenOff';

  /** @param why the end of a sentence */
  constructor(why: string) {
    super(`An export was broken off: ${why}.`);
  }
}
