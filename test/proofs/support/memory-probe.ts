/** Runs inside a server under test, started with `--expose-gc`: at SIGUSR2 it says on standard error how much memory it holds. */
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`memory held: ${heapUsed + external}\n`);
});
