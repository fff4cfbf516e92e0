import { Text, type TextProps } from '@mantine/core';
import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { ReactNode } from 'react';

/** Text that explains what it stands beside. */
export function Note(props: TextProps & { role?: 'status'; children: ReactNode }) {
  return <Text size="sm" c="dimmed" {...props} />;
}

/** What is wrong with a field; nothing if it is right. */
export function Problem({ error, ...props }: TextProps & { error: string | undefined }) {
  return error === undefined ? null : (
    <Text size="xs" c="var(--mantine-color-error)" role="alert" {...props}>
      {error}
    </Text>
  );
}

/** Text from outside, such as a file name or an error: sanitized, and isolated from the surrounding text direction. */
export function UntrustedText({ children }: { children: string }) {
  return <bdi>{replaceUnsafeCharacters(children)}</bdi>;
}

/** A line of such text. */
export function UntrustedLine({ children, ...props }: TextProps & { children: string }) {
  return (
    <Text size="sm" {...props}>
      <UntrustedText>{children}</UntrustedText>
    </Text>
  );
}
