import { buildLibrary } from '../android/build.ts';
import { measureExtraction } from '../android/extraction.ts';
import { startServer } from '../android/server.ts';
import { measureMinified } from '../android/minified.ts';
import { measureSizes } from '../android/sizes.ts';
import { measureTracking } from '../android/tracking.ts';
import type { Measure } from '../measure.ts';

export const android: Measure = {
  name: 'android',
  describe: 'the Inspector library: time and memory on the caller’s thread, and its size beside others',
  async run(options) {
    const build = await buildLibrary();
    const server = await startServer();
    try {
      return {
        title: 'Inspector library for Android',
        about:
          'On the JVM of this machine, a JDK; extraction by JMH, with the classes of the prod artifact and the `JSONObject` of Android. A plain ' +
          'walk looks at each name and value of the same input, asks the class of the value, and makes nothing; the usual way is that of ' +
          'the closest library, written anew: a hash map, and a type made for each value. Events are tracked 100 times a second, in batches of 30 that ' +
          'a real server takes. What a minified app pays is the difference to the same app without the library, which R8 has minified in full ' +
          'mode for API level 21 with the rules that each library ships: the DEX, the methods that it defines, and the DEX deflated; goal: 60 KB, ' +
          '300 methods and 30 KB. Sizes of archives are without what they depend on; their methods are all that their classes declare, by javap.',
        tables: [
          await measureExtraction(build, options),
          await measureTracking(build, server, options),
          await measureMinified(build),
          await measureSizes(build),
        ],
      };
    } finally {
      await server.stop();
      await build.remove();
    }
  },
};
