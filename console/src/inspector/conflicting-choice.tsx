import { go, withQuery } from '../navigation/place.ts';

/** Whether only events are shown that have a property with several types. */
export function ConflictingChoice({ checked }: { checked: boolean }) {
  return (
    <label class="chip">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => go(withQuery({ conflicting: currentTarget.checked ? 'true' : undefined }))}
      />
      With conflicts
    </label>
  );
}
