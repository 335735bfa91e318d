import { Page } from '../parts/page.tsx';

/** Shown for unknown URLs. */
export function NotFoundPage() {
  return (
    <Page title="Nothing here">
      <p>There is no page at this address. It may have been truncated when it was copied.</p>
      <p>
        <a class="button" href="/">
          Go to the workspaces
        </a>
      </p>
    </Page>
  );
}
