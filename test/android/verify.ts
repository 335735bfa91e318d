import { runWithJava } from './support/java-command.ts';

const MAVEN = ['--batch-mode', '--no-transfer-progress'];

/**
 * Builds and tests the Android library in `android-sdk/`: all modules, two at a time, and then what is checked of the whole. Kotlin's
 * compiler leaves the classes of sources that are gone, so all is built anew.
 */
runWithJava('the Android library is neither built nor tested', {
  command: 'mvn',
  runs: [
    [...MAVEN, '--threads', '2', '--projects', '!checks', 'clean', 'verify'],
    [...MAVEN, '--projects', 'checks', 'clean', 'verify'],
  ],
  cwd: new URL('../../android-sdk/', import.meta.url),
});
