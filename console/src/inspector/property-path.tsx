import { Fragment } from 'preact';
import { ObservedText } from '../parts/observed-text.tsx';

/** The names from the event down to a property; `[]` are the elements of a list. */
export function PropertyPath({ path }: { path: readonly string[] }) {
  return (
    <code>
      {path.map((name, index) => (
        <Fragment key={index}>
          {index > 0 && <span class="quiet"> › </span>}
          <ObservedText text={name} />
        </Fragment>
      ))}
    </code>
  );
}
