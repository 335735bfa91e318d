import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  title: string;
  /** What the heading shows; left out: the title. */
  heading?: ComponentChildren;
  /** Beside the heading. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** What a page shows below the navigation. Its heading takes the focus when the reader comes from another page, unless a field of it has. */
export function Page({ title, heading = title, actions, children }: PageProps) {
  const shown = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isFirstPage) isFirstPage = false;
    else if (document.activeElement?.matches('main input') !== true) shown.current?.focus();
  }, []);
  useEffect(() => {
    document.title = `${title} · Branchline`;
  }, [title]);
  return (
    <>
      <div class="heading">
        <h1 ref={shown} tabIndex={-1}>
          {heading}
        </h1>
        {actions}
      </div>
      {children}
    </>
  );
}

/** A page that was opened by its address begins at its top, as browsers have it. */
let isFirstPage = true;
