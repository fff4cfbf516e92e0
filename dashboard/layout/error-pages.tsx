import type { ErrorComponentProps } from '@tanstack/react-router';
import { MessagePage } from '../ui/message-page.tsx';

export function NotFoundPage() {
  return <MessagePage title="Page not found">Check the address, or choose a page from the menu.</MessagePage>;
}

/** Replaces a page whose code threw. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return (
    <MessagePage
      title="Something went wrong"
      action={{ label: 'Reload', onClick: () => window.location.reload() }}
    >
      {error instanceof Error ? error.message : String(error)}
    </MessagePage>
  );
}
