/** All that a process has open which only waits for a look-up of a name: that, and its standard streams. */
const WAITS_FOR_NAMES = new Set(['GetAddrInfoReqWrap', 'TTYWrap', 'PipeWrap']);

const LOOK_EVERY_MS = 100;

/**
 * Ends the process now. Node's own end waits for look-ups of names, which can't be called off: while name servers do not answer, for
 * half a minute or longer. So where one is under way, the process is replaced (execve) by a Node that only exits, with the same code.
 *
 * @param code defaults to `process.exitCode`, or else 0
 */
export function exitNow(code: number | string = process.exitCode ?? 0): never {
  if (isLookingUp() && process.execve !== undefined) {
    // Its options are those of the program that ends: they may load modules, or wait for a debugger.
    const env = { ...process.env, NODE_OPTIONS: '' };
    process.execve(process.execPath, [process.execPath, '--eval', `process.exit(${Number(code)})`], env);
  }
  process.exit(code);
}

let looking: NodeJS.Timeout | undefined;

/** Ends the process once nothing but look-ups of names is under way, which nobody waits for any more. To ask again changes nothing. */
export function endWithoutLookUps(): void {
  looking ??= setInterval(() => {
    if (isLookingUp() && process.getActiveResourcesInfo().every((kind) => WAITS_FOR_NAMES.has(kind))) exitNow();
  }, LOOK_EVERY_MS).unref();
}

function isLookingUp(): boolean {
  return process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
}
