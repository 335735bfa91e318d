import { useState } from 'preact/hooks';
import { Copyable } from '../parts/copyable.tsx';
import { version } from '../../../package.json';
import { curlLine, endpointHint, gradleLines, kotlinLines, packageLine } from './snippets.ts';

/** The code and commands to send with a key, from an app or a shell. */
export function KeyLines({ apiKey }: { apiKey: string }) {
  const [now] = useState(() => new Date());
  const { origin } = location;
  const hint = endpointHint(origin);
  return (
    <>
      <h3>Gradle</h3>
      <p class="hint">
        The library comes from a Maven repository of your own: <code>{packageLine(version)}</code>, in Branchline's own
        folder, writes it to <code>dist/maven</code>. Use that folder, or the URL you have uploaded it to.
      </p>
      <Copyable name="Gradle lines" text={gradleLines(version)} />
      <h3>Kotlin</h3>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <Copyable name="Kotlin lines" text={kotlinLines(origin, apiKey)} />
      <h3>Without an app</h3>
      <Copyable name="curl line" text={curlLine(origin, apiKey, now)} />
    </>
  );
}
