import { ActionIcon, CopyButton } from '@mantine/core';
import { Check, Copy } from 'lucide-react';

/** A small button beside a text that copies it and says that it did. */
export function CopyIconButton({ text, what }: { text: string; what: string }) {
  return (
    <CopyButton value={text} timeout={2000}>
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
