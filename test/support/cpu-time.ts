/**
 * How long this thread computes for some work, in milliseconds. However long it waits for a processor, or stands still, does not
 * count.
 */
export async function measureCpuTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
