/**
 * How many files this process may have open, or how many bytes of address space it may use, as the system says; Infinity where it says none. Node has
 * raised that of files as far as it may.
 */
export function limitOf(what: 'open_files' | 'virtual_memory_bytes'): number {
  // The report would look up the names of all addresses.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = Object(process.report.getReport());
  const soft: unknown = userLimits?.[what]?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}
