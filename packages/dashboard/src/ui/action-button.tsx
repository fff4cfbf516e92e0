import { Button, type ButtonProps } from '@mantine/core';
import type { notifications } from '@mantine/notifications';
import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { LucideIcon } from 'lucide-react';
import type { MouseEvent, MouseEventHandler, ReactNode } from 'react';

type Props = Omit<ButtonProps, 'loading'> & {
  type?: 'submit';
  onClick?: MouseEventHandler<HTMLButtonElement>;
  isBusy: boolean;
  autoFocus?: boolean;
  'aria-label'?: string | undefined;
};

/**
 * A button whose action takes a while. Mantine disables a button that loads, and browsers take the keyboard focus from it:
 * this one keeps the focus and ignores presses, also those of Enter in a text field of its form.
 */
export function ActionButton({ isBusy, disabled = false, onClick, ...props }: Props) {
  const actOnce = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBusy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <Button
      {...props}
      disabled={disabled}
      loading={isBusy}
      renderRoot={(root) => (
        <button {...root} disabled={disabled && !isBusy} aria-disabled={isBusy} onClick={actOnce} />
      )}
    />
  );
}

type SmallButtonProps = ButtonProps & {
  Icon: LucideIcon;
  onClick: () => void;
  'aria-label'?: string;
  children: ReactNode;
};

/** A small button with an icon. */
export function SmallButton({ Icon, ...props }: SmallButtonProps) {
  return <Button size="xs" variant="default" leftSection={<Icon size={14} aria-hidden />} {...props} />;
}

type SmallActionProps = ButtonProps & {
  label: string;
  /** Completes the accessible name, on a page with several such buttons. It may be untrusted. */
  subject?: string;
  Icon?: LucideIcon;
  action: { isPending: boolean; mutate: () => void };
};

/** A small button that starts an action, such as one of a row. */
export function SmallAction({ label, subject, Icon, action, ...props }: SmallActionProps) {
  return (
    <ActionButton
      size="xs"
      variant="default"
      leftSection={Icon && <Icon size={14} aria-hidden />}
      aria-label={subject === undefined ? undefined : `${label} ${replaceUnsafeCharacters(subject)}`}
      isBusy={action.isPending}
      onClick={() => action.mutate()}
      {...props}
    >
      {label}
    </ActionButton>
  );
}

/** Shows a notification. Its component is loaded on demand, so that the first page does not wait for it. */
function notify(message: Parameters<typeof notifications.show>[0]): void {
  void import('./notifier.tsx').then(({ show }) => show({ ...message, closeButtonProps: { 'aria-label': 'Dismiss' } }));
}

/** An error handler that shows the error until the user dismisses it. */
export function notifyFailure(title: string): (error: Error) => void {
  return ({ message }) => notify({ color: 'red', title, message, autoClose: false });
}

export function notifySuccess(title: string, message = ''): void {
  notify({ color: 'green', title, message });
}

/** Reports an action that succeeded only in part, until the user dismisses it. */
export function notifyPartialSuccess(title: string, message: string): void {
  notify({ color: 'orange', title, message, autoClose: false });
}
