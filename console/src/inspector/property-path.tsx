import { Fragment } from 'preact';
import { ObservedText } from '../parts/observed-text.tsx';
import { visibleText } from '../parts/visible-text.ts';

/** The names from the event down to a property; `[]` stands for the elements of a list. */
export function PropertyPath({ path }: { path: readonly string[] }) {
  return (
    <code class="clamped property-path" title={path.map(visibleText).join(' › ')}>
      {path.map((name, index) => (
        <Fragment key={index}>
          {index > 0 && <span class="quiet"> › </span>}
          <ObservedText text={name} />
        </Fragment>
      ))}
    </code>
  );
}
