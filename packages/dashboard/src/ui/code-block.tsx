import { Code, type CodeProps } from '@mantine/core';

type Props = Omit<CodeProps, 'block'> & { label: string; children: string };

/** Preformatted text that a keyboard can scroll, with an accessible name. The group role allows the name. */
export function CodeBlock({ label, children, ...others }: Props) {
  return (
    <Code block tabIndex={0} role="group" aria-label={label} {...others}>
      {children}
    </Code>
  );
}
