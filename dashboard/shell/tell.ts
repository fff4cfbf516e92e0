import { notifications } from '@mantine/notifications';

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** Tells of an action that failed, where there is no better place for it. */
export function tellFailure(title: string): (error: Error) => void {
  return ({ message }) => void notifications.show({ color: 'red', title, message, closeButtonProps });
}

export function tellSuccess(title: string, message = ''): void {
  notifications.show({ color: 'green', title, message, closeButtonProps });
}
