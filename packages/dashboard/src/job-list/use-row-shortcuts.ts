import { useHotkeys } from '@mantine/hooks';
import type { RefObject } from 'react';
import { useShortcuts } from '../ui/use-shortcuts.ts';

type Selection = { onSelect: (jobId: string) => void; onClear: () => void };

/** J and K move the focus between rows, X selects the focused row, Escape clears the selection. */
export function useRowShortcuts(list: RefObject<HTMLElement | null>, { onSelect, onClear }: Selection): void {
  const links = () => [...(list.current?.querySelectorAll<HTMLAnchorElement>('[data-job] a') ?? [])].sort(byPosition);
  const move = (by: 1 | -1) => {
    const all = links();
    const current = all.indexOf(document.activeElement as HTMLAnchorElement);
    const next = current === -1 ? all.find((link) => link.getBoundingClientRect().top >= 0) : all[current + by];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['x', () => selectFocused(onSelect)],
  ]);
  useHotkeys([['Escape', onClear]]);
}

function byPosition(one: Element, other: Element): number {
  return one.getBoundingClientRect().top - other.getBoundingClientRect().top;
}

function selectFocused(onSelect: (jobId: string) => void): void {
  const path = document.activeElement instanceof HTMLAnchorElement ? document.activeElement.pathname : '';
  const [, jobId] = /\/jobs\/([^/]+)$/.exec(path) ?? [];
  if (jobId !== undefined) onSelect(jobId);
}
