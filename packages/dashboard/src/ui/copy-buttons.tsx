import { ActionIcon, Button, CopyButton } from '@mantine/core';
import { Check, Copy } from 'lucide-react';

type Props = {
  text: string;
  /** Completes the accessible name: `Copy the job ID`. */
  what: string;
};

const copiedMs = 2_000;

export function CopyTextButton({ text, what }: Props) {
  return (
    <CopyButton value={text} timeout={copiedMs}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          miw={92}
          onClick={copy}
          aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
          leftSection={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  );
}

export function CopyIconButton({ text, what }: Props) {
  return (
    <CopyButton value={text} timeout={copiedMs}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          c="inherit"
          onClick={copy}
          aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
        >
          {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}
