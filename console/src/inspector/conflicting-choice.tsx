import { FlagFilter } from '../parts/flag-filter.tsx';

/** Whether only events are shown that have a property with several types. */
export function ConflictingChoice({ checked }: { checked: boolean }) {
  return <FlagFilter label="With conflicts" name="conflicting" checked={checked} />;
}
