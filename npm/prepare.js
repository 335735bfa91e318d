// Bundles the server when the packages of a clone are installed. Without the devDependencies there is nothing to do it with, and
// the server runs from its sources, which takes longer to start.
import process from 'node:process';

try {
  await import('rolldown');
  const { bundleSources } = await import('./bundle.ts');
  await bundleSources();
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('The server was not bundled, since rolldown is not installed; it runs from its sources.\n');
}
