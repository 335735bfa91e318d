import { signal } from '@preact/signals';

const KEY = 'branchline-slash';

/** Whether `/` opens the command bar; people who use speech input turn this off (WCAG 2.1.4). */
export const slashOpens = signal(read());

/** A setting that the browser remembers. */
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
    // The setting applies to this visit only.
  }
}
