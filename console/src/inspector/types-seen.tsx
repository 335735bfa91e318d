import type { components } from '../client/generated/types.ts';
import { ObservedText } from '../parts/observed-text.tsx';

/** A type, and how often and where it was seen. */
export interface SeenType {
  /** In words: `list<int|null>`. */
  type: string;
  /** How often, in words. */
  frequency: string;
  seenIn: readonly components['schemas']['SeenIn'][];
}

interface TypesSeenProps {
  types: readonly SeenType[];
  /** Whether only one app version is looked at, which then did not have to bring the type. */
  isOfOneVersion: boolean;
}

/** The types of a property: each with the sources and environments that sent it, and the app version that brought it there. */
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
