import type { notifications } from '@mantine/notifications';

type Message = Parameters<typeof notifications.show>[0];

/** Shows a message in the corner. What shows it is loaded after the page, which never waits for it. */
function notify(message: Message): void {
  void import('./notifier.tsx').then(({ show }) =>
    show({ ...message, closeButtonProps: { 'aria-label': 'Dismiss' } }),
  );
}

/** Tells of an action that failed, where there is no better place for it, until it is dismissed. */
export function notifyFailure(title: string): (error: Error) => void {
  return ({ message }) => notify({ color: 'red', title, message, autoClose: false });
}

/** Tells of an action that worked; until it is dismissed where a part of it did not. */
export function notifySuccess(title: string, message = '', problem = false): void {
  notify({ color: problem ? 'orange' : 'green', title, message, ...(problem ? { autoClose: false } : {}) });
}
