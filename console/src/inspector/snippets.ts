import { isThisMachine, shellOrigin } from '../navigation/server-origin.ts';

/** Makes the folder that the Gradle lines name as a repository. */
export function packageLine(tag: string): string {
  return `npx branchline android package --version ${tag}`;
}

/**
 * Lines to paste that have an app use the library.
 *
 * @param tag of its release
 */
export function gradleLines(tag: string): string {
  return `// settings.gradle.kts, below dependencyResolutionManagement.repositories: where your release lies
maven { url = uri("https://maven.example.com") }

// app/build.gradle.kts
dependencies {
    debugImplementation("app.service.inspector:dev:${tag}")
    releaseImplementation("app.service.inspector:prod:${tag}")
}`;
}

/** @param origin of this server as the reader sees it */
export function kotlinLines(origin: string, apiKey: string): string {
  const endpoint = isThisMachine(origin) ? emulatorsOrigin(origin) : origin;
  return `import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv

// in onCreate() of your Application
ServiceInspector.setEndpoint("${endpoint}")
val inspector = ServiceInspector("${apiKey}", this, ServiceInspectorEnv.Dev)

inspector.trackSchemaFromEvent("Product Viewed", mapOf("productId" to "p-1", "price" to 19.95))`;
}

/** What the reader should know of the endpoint; undefined where it works as it is. */
export function endpointHint(origin: string): string | undefined {
  if (isThisMachine(origin)) {
    return 'An emulator reaches this computer as 10.0.2.2, which the line names. Android 9 and newer send by http only where the manifest of the debug build says android:usesCleartextTraffic="true". On a device, name the address that it reaches the server by; that takes https.';
  }
  return origin.startsWith('https:')
    ? undefined
    : 'The library sends by https only, but to this device and to the host of an emulator. Put TLS before this server first.';
}

/** @param now for the times in the batch */
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

function emulatorsOrigin(origin: string): string {
  const { port } = new URL(origin);
  return `http://10.0.2.2${port === '' ? '' : `:${port}`}`;
}

/** Version 4; a page that was not loaded over TLS has no `crypto.randomUUID`. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
