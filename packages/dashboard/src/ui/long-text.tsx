import { Button, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { UntrustedText } from './text.tsx';

type Props = {
  children: string;
  /** Completes the accessible name of the button: `Show all of the input`. */
  what: string;
  /** Texts with no more characters are shown whole. Default: about four lines of a narrow column. */
  maxCharacters?: number;
};

/** Untrusted text, such as a signed URL: a long one is cut to four lines until the user asks for all of it. */
export function LongText({ children, what, maxCharacters = 160 }: Props) {
  const id = useId();
  const [isWhole, setIsWhole] = useState(false);
  if (children.length <= maxCharacters) return <UntrustedText>{children}</UntrustedText>;
  const label = isWhole ? 'Show less' : 'Show all';
  return (
    <>
      <Text span inherit id={id} {...(isWhole ? { display: 'block' } : { lineClamp: 4 })}>
        <UntrustedText>{children}</UntrustedText>
      </Text>
      <Button
        variant="default"
        size="compact-xs"
        mt={4}
        aria-expanded={isWhole}
        aria-controls={id}
        aria-label={`${label} of ${what}`}
        onClick={() => setIsWhole(!isWhole)}
      >
        {label}
      </Button>
    </>
  );
}
