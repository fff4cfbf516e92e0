import { Button, CopyButton } from '@mantine/core';
import { Check, Copy } from 'lucide-react';

/** A button that copies a text and says that it did. */
export function CopyTextButton({ text, what }: { text: string; what: string }) {
  return (
    <CopyButton value={text} timeout={2000}>
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
