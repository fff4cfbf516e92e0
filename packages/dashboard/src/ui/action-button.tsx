import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEvent, MouseEventHandler } from 'react';

type Props = Omit<ButtonProps, 'loading'> & {
  type?: 'submit';
  onClick?: MouseEventHandler<HTMLButtonElement>;
  /** The action is under way. */
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
