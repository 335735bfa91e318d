import { Page } from '../parts/page.tsx';

/** For an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Page title="Nothing here">
      <p>This address leads to no page. It may have been cut off when it was copied.</p>
      <p>
        <a class="button" href="/">
          Go to the workspaces
        </a>
      </p>
    </Page>
  );
}
