import { signal } from '@preact/signals';

const KEY = 'branchline-slash';

/** Whether `/` opens the command bar: whoever speaks to their computer turns that off (WCAG 2.1.4). */
export const slashOpens = signal(read());

/** A choice of the reader, kept in the browser. */
export function ShortcutSetting() {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={slashOpens.value}
        onChange={({ currentTarget }) => {
          slashOpens.value = currentTarget.checked;
          keep(currentTarget.checked);
        }}
      />
      <span>
        <kbd>/</kbd> opens the search
      </span>
    </label>
  );
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

function keep(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // It holds for this visit.
  }
}
