import type { ErrorComponentProps } from '@tanstack/react-router';
import { MessagePage } from '../ui/message-page.tsx';

/** At an address that no page has. */
export function NotFoundPage() {
  return (
    <MessagePage title="There is no such page">
      The address may be old, or mistyped. The menu leads to every page.
    </MessagePage>
  );
}

/** In place of a page whose code threw. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return (
    <MessagePage
      title="This page failed"
      action={{ label: 'Reload', onClick: () => window.location.reload() }}
    >
      {error instanceof Error ? error.message : String(error)}
    </MessagePage>
  );
}
