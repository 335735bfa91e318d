import { go, withQuery } from '../navigation/place.ts';

/** Whether only events are shown that have an open issue. */
export function IssuesChoice({ checked }: { checked: boolean }) {
  return (
    <label class="chip">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => go(withQuery({ withIssues: currentTarget.checked ? 'true' : undefined }))}
      />
      With issues
    </label>
  );
}
