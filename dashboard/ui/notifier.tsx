import '@mantine/notifications/styles.css';
import { Notifications, notifications } from '@mantine/notifications';

export const show = notifications.show;

/** Where notifications appear. */
export function Notifier() {
  return <Notifications position="bottom-right" />;
}
