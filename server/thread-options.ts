/** For threads of the server: Node keeps what they load compiled, as it does for the main thread. */
export const THREAD_OPTIONS = {
  execArgv: ['--import', 'data:text/javascript,import{enableCompileCache}from"node:module";enableCompileCache()'],
};
