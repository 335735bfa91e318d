import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  title: string;
  /** The heading. Defaults to the title. */
  heading?: ComponentChildren;
  /** Shown next to the heading. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The content below the navigation. After navigation the heading gets the focus, unless a field of the page has it. */
export function Page({ title, heading = title, actions, children }: PageProps) {
  const shown = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isFirstPage) isFirstPage = false;
    else if (document.activeElement?.matches('main input') !== true) shown.current?.focus({ preventScroll: true });
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

/** A page opened by its URL starts at the top, as the browser does by default. */
let isFirstPage = true;
