import type { notifications } from '@mantine/notifications';

type Message = Parameters<typeof notifications.show>[0];

/** Shows a notification. Its component is loaded on demand, so that the first page does not wait for it. */
function notify(message: Message): void {
  void import('./notifier.tsx').then(({ show }) => show({ ...message, closeButtonProps: { 'aria-label': 'Dismiss' } }));
}

/** An error handler that shows the error until the user dismisses it. */
export function notifyFailure(title: string): (error: Error) => void {
  return ({ message }) => notify({ color: 'red', title, message, autoClose: false });
}

/** Confirms an action. */
export function notifySuccess(title: string, message = ''): void {
  notify({ color: 'green', title, message });
}

/** Reports an action that succeeded only in part, until the user dismisses it. */
export function notifyPartialSuccess(title: string, message: string): void {
  notify({ color: 'orange', title, message, autoClose: false });
}
