import { useState } from 'preact/hooks';
import { Copyable } from '../parts/copyable.tsx';
import { curlLine, endpointHint, GRADLE, kotlinLines } from './snippets.ts';

/** How an app, or a shell, sends with a key. */
export function KeyLines({ apiKey }: { apiKey: string }) {
  const [now] = useState(() => new Date());
  const { origin } = location;
  const hint = endpointHint(origin);
  return (
    <>
      <h3>Gradle</h3>
      <Copyable name="Gradle lines" text={GRADLE} />
      <h3>Kotlin</h3>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <Copyable name="Kotlin lines" text={kotlinLines(origin, apiKey)} />
      <h3>Without an app</h3>
      <Copyable name="curl line" text={curlLine(origin, apiKey, now)} />
    </>
  );
}
