import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { MessagePage } from '../ui/message-page.tsx';

export function NotFoundPage() {
  return <MessagePage title="Page not found">Check the address, or choose a page from the menu.</MessagePage>;
}

const reload = () => window.location.reload();

/** Replaces a page whose code threw, or could not be loaded: then it reloads itself once there is a network again. */
export function ErrorPage({ error }: ErrorComponentProps) {
  useEffect(() => {
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  // Without a network, the browser would replace the dashboard by a page of its own.
  const onClick = () => {
    if (navigator.onLine) reload();
  };
  return (
    <MessagePage title="Something went wrong" action={{ label: 'Reload', onClick }}>
      {error instanceof Error ? error.message : String(error)}
    </MessagePage>
  );
}
