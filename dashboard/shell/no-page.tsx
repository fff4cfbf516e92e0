import type { ErrorComponentProps } from '@tanstack/react-router';
import { Notice } from './notice.tsx';

/** At an address that no page has. */
export function UnknownPage() {
  return (
    <Notice title="There is no such page">
      The address may be old, or mistyped. The menu leads to every page.
    </Notice>
  );
}

/** In place of a page whose code threw. */
export function FailedPage({ error }: ErrorComponentProps) {
  return (
    <Notice title="This page failed" action={{ label: 'Reload', onClick: () => window.location.reload() }}>
      {error instanceof Error ? error.message : String(error)}
    </Notice>
  );
}
