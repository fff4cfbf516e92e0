import { ActionIcon } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';

type Props = { Icon: LucideIcon; label: string; disabled?: boolean; onClick: () => void };

export function ItemAction({ Icon, label, ...rest }: Props) {
  return (
    <ActionIcon variant="subtle" color="gray" c="inherit" size="lg" aria-label={label} {...rest}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}

/** The same list with the item at `index` one position earlier. */
export function movedUp<Item>(items: readonly Item[], index: number): Item[] {
  return items.toSpliced(index, 1).toSpliced(index - 1, 0, ...items.slice(index, index + 1));
}
