import { Checkbox, Skeleton, VisuallyHidden } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { JobRow } from './job-row.tsx';
import classes from './jobs-table.module.css';
import type { ListedJob } from './loaded-pages.ts';

type Props = {
  jobs: readonly ListedJob[];
  selected: ReadonlySet<string>;
  onSelect: (jobId: string) => void;
  onSelectAll: (all: boolean) => void;
  hasMore: boolean;
  onMore: () => void;
};

/** The next page is loaded this many rows before the end. */
const prefetchRows = 10;
/** Rows rendered outside the viewport. Each delays the first paint. */
const overscanRows = 4;

/** The list of jobs, virtualized: only visible rows are rendered, and pages are loaded while scrolling. */
export function JobsTable({ jobs, selected, onSelect, onSelectAll, hasMore, onMore }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery('(max-width: 56em)', undefined, { getInitialValueInEffect: false });
  const rowHeight = isNarrow ? 84 : 60;
  const rows = useWindowVirtualizer({
    count: jobs.length,
    estimateSize: () => rowHeight,
    overscan: overscanRows,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => jobs[index]?.job.jobId ?? index,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => rows.measure(), [rows]);
  useEffect(() => {
    if (hasMore && last >= jobs.length - prefetchRows) onMore();
  }, [hasMore, last, jobs.length, onMore]);
  useRowShortcuts(list, { onSelect, onClear: () => onSelectAll(false) });

  return (
    <div role="table" aria-label="Jobs" aria-rowcount={hasMore ? -1 : jobs.length + 1} className={classes.table}>
      <Head all={jobs.length > 0 && selected.size >= jobs.length} some={selected.size > 0} onSelectAll={onSelectAll} />
      <div role="rowgroup" ref={list} style={{ position: 'relative', height: rows.getTotalSize() }}>
        {shown.map(({ index, key, start, size }) => {
          const listed = jobs[index];
          if (listed === undefined) return null;
          const transform = `translateY(${start - rows.options.scrollMargin}px)`;
          return (
            <div
              key={key}
              role="presentation"
              style={{ position: 'absolute', inset: '0 0 auto', height: size, transform }}
            >
              <JobRow
                listed={listed}
                position={index + 1}
                selected={selected.has(listed.job.jobId)}
                onSelect={onSelect}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const columns = [
  ['State', undefined],
  ['Job', classes.name],
  ['Result', undefined],
  ['Size change', classes.sizeChange],
  ['Cost', classes.cost],
  ['Age', classes.age],
] as const;

function Head({ all, some, onSelectAll }: { all: boolean; some: boolean; onSelectAll: (all: boolean) => void }) {
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={1} className={classes.head}>
        <div role="columnheader" className={classes.select}>
          <Checkbox
            size="xs"
            checked={all}
            indeterminate={some && !all}
            onChange={() => onSelectAll(!all)}
            aria-label="Select all loaded jobs"
          />
        </div>
        {columns.map(([title, className]) => (
          <div key={title} role="columnheader" className={className}>
            {title}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Placeholder of the table, in the same height, so that the page does not shift. */
export function JobsTableSkeleton() {
  return (
    <div className={classes.table} aria-busy="true">
      <VisuallyHidden>Loading jobs</VisuallyHidden>
      <div className={classes.head} />
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical.
        <div key={index} className={classes.placeholder}>
          <Skeleton height={20} />
        </div>
      ))}
    </div>
  );
}

type Selection = { onSelect: (jobId: string) => void; onClear: () => void };

/** J and K move the focus between rows, X selects the focused row, Escape clears the selection. */
function useRowShortcuts(list: RefObject<HTMLElement | null>, { onSelect, onClear }: Selection): void {
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
