import { runWithJava } from './support/java-command.ts';

/** Builds and tests the Android library, by `mvn clean verify` in `android-sdk/`. */
runWithJava('the Android library is neither built nor tested', {
  command: 'mvn',
  // Kotlin's compiler leaves the classes of sources that are gone.
  args: ['--batch-mode', '--no-transfer-progress', 'clean', 'verify'],
  cwd: new URL('../../android-sdk/', import.meta.url),
});
