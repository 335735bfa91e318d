import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  title: string;
  /** Beside the heading. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** What a page shows below the navigation. Its heading takes the focus when the reader comes from another page. */
export function Page({ title, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isFirstPage) isFirstPage = false;
    else heading.current?.focus();
  }, []);
  useEffect(() => {
    document.title = `${title} · Branchline`;
  }, [title]);
  return (
    <>
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </div>
      {children}
    </>
  );
}

/** A page that was opened by its address begins at its top, as browsers have it. */
let isFirstPage = true;
