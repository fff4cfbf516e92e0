import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

type Props = {
  label: string;
  icon: ReactNode;
  /** What the dialog asks, and what follows from a yes. */
  question: string;
  consequence: ReactNode;
  confirm: string;
  onConfirm: () => void;
  isBusy: boolean;
  /** Says which one, where a page has many of these buttons. */
  ariaLabel?: string;
};

/** A button for what cannot be undone: it asks first. */
export function ConfirmButton({
  label,
  icon,
  question,
  consequence,
  confirm,
  onConfirm,
  isBusy,
  ariaLabel,
}: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={icon}
        onClick={open}
        loading={isBusy}
        aria-label={ariaLabel}
      >
        {label}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={question}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Text size="sm">{consequence}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            Keep
          </Button>
          <Button
            color="red.9"
            onClick={() => {
              close();
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
