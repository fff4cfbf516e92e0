import { useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { Page } from '../shell/page.tsx';
import { Problem } from '../shell/problem.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { JobFilters } from './job-filters.tsx';
import type { JobsSearch } from './jobs-search.ts';
import { JobsTable, JobsTableSkeleton } from './jobs-table.tsx';
import { NoJobs, NoMatches } from './no-jobs.tsx';
import { useJobs } from './use-jobs.ts';

export function JobsPage() {
  const search = useSearch({ from: '/jobs' });
  return (
    <Page title="Jobs" width={1280}>
      <JobFilters search={search} />
      {/* A selection belongs to the list that it was made in. */}
      <JobsList key={JSON.stringify(search)} search={search} />
    </Page>
  );
}

function JobsList({ search }: { search: JobsSearch }) {
  const { jobs, isPending, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useJobs(search);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((jobId: string) => setSelected((before) => toggled(before, jobId)), []);
  const onMore = useCallback(
    () => void (isFetchingNextPage || fetchNextPage()),
    [isFetchingNextPage, fetchNextPage],
  );

  if (isPending) return <JobsTableSkeleton />;
  if (error !== null && jobs.length === 0) {
    return <Problem title="The jobs could not be read" error={error} onRetry={() => void refetch()} />;
  }
  if (jobs.length === 0) return Object.keys(search).length === 0 ? <NoJobs /> : <NoMatches />;
  return (
    <>
      <JobsTable
        jobs={jobs}
        selected={selected}
        onSelect={toggle}
        onSelectAll={(all) => setSelected(new Set(all ? jobs.map(({ job }) => job.jobId) : []))}
        hasMore={hasNextPage}
        onMore={onMore}
      />
      {selected.size > 0 ? <BulkActions selected={selected} onClear={() => setSelected(new Set())} /> : null}
    </>
  );
}

function toggled(before: ReadonlySet<string>, jobId: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(jobId)) after.add(jobId);
  return after;
}
