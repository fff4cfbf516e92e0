import { Box } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorCallout } from '../ui/error-callout.tsx';
import { Page } from '../ui/page.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { JobFilters } from './job-filters.tsx';
import classes from './jobs-page.module.css';
import { JobsTable, JobsTableSkeleton } from './jobs-table.tsx';
import { hasFilters, type JobListSearch } from './search-params.ts';
import { useJobs } from './use-jobs.ts';

// Most visits need neither.
const BulkActions = lazy(() => import('./bulk-actions.tsx').then((file) => ({ default: file.BulkActions })));
const NoJobs = lazy(() => import('./no-jobs.tsx').then((file) => ({ default: file.NoJobs })));

export function JobsPage() {
  const search = useSearch({ from: '/jobs' });
  return (
    <Page title="Jobs">
      <JobFilters search={search} />
      {/* The key resets the selection when the filters change. */}
      <JobsList key={JSON.stringify(search)} search={search} />
    </Page>
  );
}

function JobsList({ search }: { search: JobListSearch }) {
  const { jobs, isPending, error, updateError, refetch, ...pages } = useJobs(search);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((jobId: string) => setSelected((current) => toggled(current, jobId)), []);
  const onMore = useCallback(
    () => void (isFetchingNextPage || isFetchNextPageError || fetchNextPage()),
    [isFetchingNextPage, isFetchNextPageError, fetchNextPage],
  );
  const list = useRef<HTMLDivElement>(null);
  const clear = () => {
    setSelected(new Set());
    // The toolbar disappears: if it had the focus, the Tab key continues at the list.
    const focused = document.activeElement;
    if (focused === document.body || focused?.closest('[role="toolbar"]')) {
      list.current?.focus({ preventScroll: true });
    }
  };

  if (isPending) return <JobsTableSkeleton />;
  if (error !== null && jobs.length === 0) {
    return <ErrorCallout title="Could not load jobs" error={error} onRetry={() => void refetch()} />;
  }
  if (jobs.length === 0 && hasFilters(search)) {
    return (
      <EmptyState title="No matching jobs" hint="No job matches the filters above.">
        <Box mt="xs">
          <TextLink to="/jobs">Show all jobs</TextLink>
        </Box>
      </EmptyState>
    );
  }
  if (jobs.length === 0) {
    return (
      <Suspense fallback={<JobsTableSkeleton />}>
        <NoJobs />
      </Suspense>
    );
  }
  return (
    <div
      ref={list}
      role="group"
      aria-label="List of jobs"
      tabIndex={-1}
      className={classes.list}
      data-selecting={selected.size > 0 || undefined}
    >
      {updateError === null ? null : (
        <Box mb="md">
          <ErrorCallout title="Could not update the list" error={updateError} />
        </Box>
      )}
      <JobsTable
        jobs={jobs}
        selected={selected}
        onSelect={toggle}
        onSelectAll={(all) => (all ? setSelected(new Set(jobs.map(({ job }) => job.jobId))) : clear())}
        hasMore={hasNextPage}
        onMore={onMore}
      />
      {error !== null && isFetchNextPageError ? (
        <Box mt="md">
          <ErrorCallout title="Could not load more jobs" error={error} onRetry={() => void fetchNextPage()} />
        </Box>
      ) : null}
      <Suspense>{selected.size > 0 ? <BulkActions selected={selected} onClear={clear} /> : null}</Suspense>
    </div>
  );
}

function toggled(jobIds: ReadonlySet<string>, jobId: string): ReadonlySet<string> {
  const next = new Set(jobIds);
  if (!next.delete(jobId)) next.add(jobId);
  return next;
}
