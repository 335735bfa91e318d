import type { components } from '../client/generated/types.ts';
import { ObservedText } from '../parts/observed-text.tsx';
import { Never, Time } from '../parts/time.tsx';

/** The Inspector library versions used with a key, and when each was last used, latest first. */
export function LibrariesInUse({ libraries }: Pick<components['schemas']['ApiKey'], 'libraries'>) {
  if (libraries.length === 0) return <Never />;
  return (
    <ul class="plain-list">
      {libraries.map(({ name, version, platform, lastUsedDate }) => (
        <li key={JSON.stringify([name, version, platform])}>
          <ObservedText text={name} /> <ObservedText text={version} />{' '}
          <span class="quiet">
            <ObservedText text={platform} />, <Time of={lastUsedDate} />
          </span>
        </li>
      ))}
    </ul>
  );
}
