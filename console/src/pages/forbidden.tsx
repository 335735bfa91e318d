import { Page } from '../parts/page.tsx';

/** For a page that takes another role than the reader has. */
export function ForbiddenPage() {
  return (
    <Page title="For admins">
      <p>This page administers the workspace, which takes the role Admin. Ask an admin of the workspace.</p>
    </Page>
  );
}
