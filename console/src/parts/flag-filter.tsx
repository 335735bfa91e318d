import { go, withQuery } from '../navigation/place.ts';

interface FlagFilterProps {
  label: string;
  /** The name of the URL parameter. */
  name: string;
  checked: boolean;
}

/** An on/off filter of a list, kept in the URL. */
export function FlagFilter({ label, name, checked }: FlagFilterProps) {
  return (
    <label class="chip">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => go(withQuery({ [name]: currentTarget.checked ? 'true' : undefined }))}
      />
      {label}
    </label>
  );
}
