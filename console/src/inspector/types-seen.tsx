import type { components } from '../client/generated/types.ts';
import { ObservedText } from '../parts/observed-text.tsx';

/** A type, with its frequency and places. */
export interface SeenType {
  /** For example `list<int|null>`. */
  type: string;
  /** The frequency as text. */
  frequency: string;
  seenIn: readonly components['schemas']['SeenIn'][];
}

interface TypesSeenProps {
  types: readonly SeenType[];
  /** Whether the report covers one app version only, which need not have introduced the type. */
  isOfOneVersion: boolean;
}

/** The types of a property, each with the sources and environments that sent it, and the app version that introduced it. */
export function TypesSeen({ types, isOfOneVersion }: TypesSeenProps) {
  return (
    <ul class="types">
      {types.map(({ type, frequency, seenIn }) => (
        <li key={type}>
          <p>
            <code class="type">{type}</code> <span class="quiet">{frequency}</span>
          </p>
          <ul>
            {seenIn.map(({ source, environment, appVersion }) => (
              <li key={JSON.stringify([source, environment])}>
                <ObservedText text={source} /> <span class="quiet">·</span> {environment}{' '}
                <span class="quiet">{isOfOneVersion ? 'in' : 'since'}</span> <ObservedText text={appVersion} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
