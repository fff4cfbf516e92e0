import { Group, type GroupProps } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ActionButton } from './action-button.tsx';

type Props = Pick<GroupProps, 'mt' | 'justify'> & {
  /** The text of the button that submits the form. */
  submit: string;
  onSubmit: () => void;
  isBusy: boolean;
  disabled: boolean;
  /** The form checks its fields in place of the browser. */
  noValidate?: boolean;
  /** What stands before the button, and what stands after it. */
  before?: ReactNode;
  beside?: ReactNode;
  children: ReactNode;
};

/** Fields, and below them a button that submits them. */
export function Form({ submit, onSubmit, isBusy, disabled, noValidate, before, beside, children, ...row }: Props) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!disabled) onSubmit();
  };
  return (
    <form onSubmit={send} noValidate={noValidate}>
      {children}
      <Group mt="md" gap="sm" {...row}>
        {before}
        <ActionButton type="submit" disabled={disabled} isBusy={isBusy}>
          {submit}
        </ActionButton>
        {beside}
      </Group>
    </form>
  );
}
