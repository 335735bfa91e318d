/**
 * For threads of the server: Node keeps what they load compiled, as it does for the main thread, and reserves a quarter of its
 * usual 128 MiB of address space for compiled code. Where there is none left (`ulimit -v`), a thread that starts ends the process.
 */
export const THREAD_OPTIONS = {
  execArgv: ['--import', 'data:text/javascript,import{enableCompileCache}from"node:module";enableCompileCache()'],
  resourceLimits: { codeRangeSizeMb: 32 },
};
