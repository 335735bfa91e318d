import { isThisMachine, shellOrigin } from '../navigation/server-origin.ts';

/** The command that creates the folder used as a repository in the Gradle code. */
export function packageLine(tag: string): string {
  return `npx branchline android package --version ${tag}`;
}

/**
 * Code to paste into an app so that it uses the library.
 *
 * @param tag the release tag of the library
 */
export function gradleLines(tag: string): string {
  return `// settings.gradle.kts, below dependencyResolutionManagement.repositories: where your release lies
maven { url = uri("../branchline/dist/maven") }

// app/build.gradle.kts
dependencies {
    debugImplementation("app.service.inspector:dev:${tag}")
    releaseImplementation("app.service.inspector:prod:${tag}")
}`;
}

/** @param origin this server's origin, as seen by the browser */
export function kotlinLines(origin: string, apiKey: string): string {
  const endpoint = isThisMachine(origin) ? emulatorsOrigin(origin) : origin;
  return `import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv

// in onCreate() of your Application
ServiceInspector.setEndpoint("${endpoint}")
val inspector = ServiceInspector("${apiKey}", this, ServiceInspectorEnv.Dev)

inspector.trackSchemaFromEvent("Product Viewed", mapOf("productId" to "p-1", "price" to 19.95))`;
}

/** A note about the endpoint; undefined if it works unchanged. */
export function endpointHint(origin: string): string | undefined {
  if (isThisMachine(origin)) {
    const port = portOf(origin);
    return `The code uses 10.0.2.2, the address of this computer in an emulator. On a phone with a cable: "adb reverse tcp:${port} tcp:${port}", and http://localhost:${port} instead. Android 9 and newer allow http only if the debug build's manifest says android:usesCleartextTraffic="true".`;
  }
  return origin.startsWith('https:')
    ? undefined
    : "The library uses http only for the device itself and an emulator's host, and https everywhere else. Put TLS in front of this server first.";
}

/** @param now the time used in the batch */
export function curlLine(origin: string, apiKey: string, now: Date): string {
  return `curl -i -H 'api-key: ${apiKey}' -H 'content-type: application/json' \\
  -d '${batch(now)}' \\
  ${shellOrigin(origin)}/inspector/batches/v1`;
}

function batch(now: Date): string {
  const time = now.toISOString();
  return JSON.stringify({
    batchId: newUuid(),
    sentAt: time,
    library: { name: 'curl', version: '1', platform: 'shell' },
    app: { id: 'com.example.shop', name: 'Shop', version: '0.0.0-try' },
    environment: 'dev',
    samplingRate: 1,
    events: [
      {
        messageId: newUuid(),
        eventName: 'Product Viewed',
        observedAt: time,
        schema: [
          { name: 'productId', type: 'string' },
          { name: 'price', type: 'float' },
        ],
      },
    ],
  });
}

function portOf(origin: string): string {
  const { port } = new URL(origin);
  return port === '' ? '80' : port;
}

function emulatorsOrigin(origin: string): string {
  return `http://10.0.2.2:${portOf(origin)}`;
}

/** Generates a UUID of version 4; pages loaded without TLS have no `crypto.randomUUID`. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
