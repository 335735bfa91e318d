/**
 * For threads of the server: Node reserves a quarter of its usual 128 MiB of address space for compiled code. Where there is none left
 * (`ulimit -v`), a thread that starts ends the process.
 */
export const THREAD_OPTIONS = {
  resourceLimits: { codeRangeSizeMb: 32 },
};
