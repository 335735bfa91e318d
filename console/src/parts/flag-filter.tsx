import { go, withQuery } from '../navigation/place.ts';

interface FlagFilterProps {
  label: string;
  /** Of the parameter in the address. */
  name: string;
  checked: boolean;
}

/** Narrows a list down to what has something, or not; it stands in the address. */
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
