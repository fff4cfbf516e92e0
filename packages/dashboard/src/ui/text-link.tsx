import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to a page of the dashboard, in a text or alone. */
export const TextLink = createLink((props: Omit<AnchorProps, 'href'> & { children?: ReactNode }) => (
  <Anchor size="sm" underline="always" {...props} />
));
