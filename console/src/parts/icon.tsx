const SHAPES = {
  draft: <circle cx="8" cy="8" r="5.5" stroke-dasharray="2.6 2" />,
  review: (
    <>
      <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" />
      <circle cx="8" cy="8" r="1.8" fill="currentColor" />
    </>
  ),
  approved: <path d="m2.5 8.5 3.5 3.5 7.5-8" stroke-width="2" />,
  merged: (
    <>
      <circle cx="4.5" cy="3.5" r="1.7" />
      <circle cx="4.5" cy="12.5" r="1.7" />
      <circle cx="11.5" cy="8" r="1.7" />
      <path d="M4.5 5.2v5.6M4.5 5.2C5 7.3 7 8 9.8 8" />
    </>
  ),
  closed: <path d="m4 4 8 8m0-8-8 8" stroke-width="2" />,
  warning: <path d="M8 2 14.5 13.5h-13L8 2Zm0 4.5v3m0 1.7v.3" />,
  done: <path d="m2.5 8.5 3.5 3.5 7.5-8" stroke-width="2" />,
  search: <path d="m10.5 10.5 3.5 3.5M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Z" />,
  add: <path d="M8 3v10M3 8h10" stroke-width="2" />,
  download: <path d="M8 2.5v7m-3-3 3 3 3-3M3 13.5h10" />,
  person: <path d="M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8Zm-5.5 6c.5-2.8 2.7-4 5.5-4s5 1.2 5.5 4" />,
  newest: <path d="M8 3v10m-4-4 4 4 4-4" />,
  publish: <path d="M8 13.5v-7m-3 3 3-3 3 3M3 2.5h10" />,
};

export type IconName = keyof typeof SHAPES;

/** A decorative shape next to a word. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {SHAPES[name]}
    </svg>
  );
}
