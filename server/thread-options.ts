/**
 * For threads of the server: Node keeps what they load compiled, as it does for the main thread, and reserves a fraction of the
 * 128 MiB of addresses for compiled code. Where there are none left (`ulimit -v`), a thread that starts would end the process.
 */
export const THREAD_OPTIONS = {
  execArgv: ['--import', 'data:text/javascript,import{enableCompileCache}from"node:module";enableCompileCache()'],
  resourceLimits: { codeRangeSizeMb: 32 },
};
