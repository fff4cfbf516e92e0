import { ActionIcon, Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';

type Props = {
  text: string;
  /** Completes the accessible name: `Copy the job ID`. */
  what: string;
};

function useCopy({ text, what }: Props) {
  const { copied, copy } = useClipboard();
  const Icon = copied ? Check : Copy;
  const label = copied ? 'Copied' : 'Copy';
  return {
    label,
    icon: <Icon size={14} aria-hidden />,
    button: { onClick: () => copy(text), 'aria-label': `${label} ${what}` },
  };
}

export function CopyTextButton(props: Props) {
  const { label, icon, button } = useCopy(props);
  return (
    <Button size="xs" variant="default" miw={92} leftSection={icon} {...button}>
      {label}
    </Button>
  );
}

export function CopyIconButton(props: Props) {
  const { icon, button } = useCopy(props);
  return (
    <ActionIcon variant="subtle" color="gray" c="inherit" {...button}>
      {icon}
    </ActionIcon>
  );
}
