import { Page } from '../parts/page.tsx';

/** Shown instead of a page that requires another role. */
export function ForbiddenPage() {
  return (
    <Page title="For admins">
      <p>This page requires the role Admin. Ask an admin of the workspace.</p>
    </Page>
  );
}
