import { Code, type CodeProps } from '@mantine/core';

type Props = Omit<CodeProps, 'block'> & { label: string; wraps?: boolean; children: string };

const wrapping = { overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' } as const;

/** Preformatted text that a keyboard can scroll, with an accessible name. The group role allows the name. */
export function CodeBlock({ label, wraps = false, children, ...others }: Props) {
  return (
    <Code block tabIndex={0} role="group" aria-label={label} style={wraps ? wrapping : undefined} {...others}>
      {children}
    </Code>
  );
}
