import '../styles/deferred.ts';
import { Box, Button, Checkbox, Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { jobName } from '@media-jobs/cli/formatting';
import { ApiError } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Ban, CopyPlus, Download, RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { taskLabel } from '../job/job-labels.ts';
import { RequestCode } from '../job/request-code.tsx';
import { retryJob } from '../job/retry-job.ts';
import { StateBadge } from '../job/state-badge.tsx';
import { isUnfinished, jobQueryKey, setCachedJob, useJob } from '../job/use-job.ts';
import { SavePreset } from '../presets/save-preset.tsx';
import { notifyFailure, SmallAction } from '../ui/action-button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { Page } from '../ui/page.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { ticked } from '../ui/typed.ts';
import { Deliveries } from './deliveries.tsx';
import { JobLog } from './job-log.tsx';
import classes from './job-page.module.css';
import { Overview } from './overview.tsx';
import { parseJobPageSearch } from './search-params.ts';

export function JobPage() {
  const { jobId } = useParams({ from: '/jobs/$jobId' });
  const query = useJob(jobId);
  const { data: job, error } = query;
  if (error instanceof ApiError && error.status === 404) {
    return <MessagePage title="Job not found">It may have been deleted, or it belongs to another account.</MessagePage>;
  }
  const problem = error === null ? null : <LoadProblem of="the job" query={query} />;
  if (job !== undefined) return <JobTabs job={job} problem={problem} />;
  return <Page title="Job">{problem ?? <Skeleton height={360} aria-label="Loading the job" />}</Page>;
}

/** @param problem why the job could not be updated since it was last read */
function JobTabs({ job, problem }: { job: JobResource; problem: ReactNode }) {
  const { tab = 'overview' } = useSearch({ from: '/jobs/$jobId' });
  const navigate = useNavigate();
  const show = (next: string | null) =>
    void navigate({ to: '.', search: parseJobPageSearch({ tab: next }), replace: true });
  return (
    <Page title={jobName(job)} above={backToJobs} lead={<Lead job={job} />} actions={<JobActions job={job} />}>
      {problem === null ? null : <Box mb="lg">{problem}</Box>}
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg" className={classes.tabs}>
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="request">Request</Tabs.Tab>
          <Tabs.Tab value="webhooks">Webhooks</Tabs.Tab>
          <Tabs.Tab value="log">Log</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <Overview job={job} />
        </Tabs.Panel>
        <Tabs.Panel value="request">
          <Stack gap="lg">
            <RequestCode request={job.request} metadata={job.metadata} />
            <SavePreset request={job.request} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="webhooks">
          <Deliveries job={job} />
        </Tabs.Panel>
        <Tabs.Panel value="log">
          <JobLog job={job} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Lead({ job }: { job: JobResource }) {
  return (
    <Group gap="md">
      <span role="status" style={{ display: 'inline-flex' }}>
        <StateBadge state={job.state} />
      </span>
      {taskLabel(job)}
    </Group>
  );
}

const backToJobs = (
  <TextLink to="/jobs" underline="hover" c="dimmed" style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}>
    <ArrowLeft size={14} aria-hidden /> Jobs
  </TextLink>
);

function JobActions({ job }: { job: JobResource }) {
  const actions = useRef<HTMLDivElement>(null);
  // The Cancel button disappears: the Tab key continues at the first action that is left.
  const onCancelled = () => actions.current?.focus({ preventScroll: true });
  const { cancel, retry } = useJobActions(job.jobId, onCancelled);
  // The same request fails again: a changed copy of it may not.
  const isPermanent = job.error?.retryable === false;
  return (
    <Group
      ref={actions}
      gap={8}
      className={classes.actions}
      style={{ outline: 'none' }}
      role="group"
      aria-label="Actions for this job"
      tabIndex={-1}
    >
      {isUnfinished(job) ? <SmallAction label="Cancel" Icon={Ban} action={cancel} /> : null}
      {job.state === 'failed' || job.state === 'rejected' || job.state === 'cancelled' ? (
        <SmallAction label="Retry" variant={isPermanent ? 'default' : 'filled'} Icon={RotateCcw} action={retry} />
      ) : null}
      {job.output === undefined ? null : (
        <Button component="a" href={job.output.signedUrl} size="xs" leftSection={<Download size={14} aria-hidden />}>
          Download
        </Button>
      )}
      <Button
        renderRoot={(props) => <Link to="/new" search={{ duplicateOf: job.jobId }} {...props} />}
        variant={isPermanent ? 'filled' : 'default'}
        size="xs"
        leftSection={<CopyPlus size={14} aria-hidden />}
      >
        Duplicate
      </Button>
      {isUnfinished(job) ? null : <DeleteJob job={job} />}
    </Group>
  );
}

/** Files at a storage provider stay unless they are to be deleted too. */
function DeleteJob({ job: { jobId, output_files: files = {} } }: { job: JobResource }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [alsoFiles, setAlsoFiles] = useState(false);
  const remove = useMutation({
    mutationFn: () => client.deleteJob({ params: { id: jobId }, query: alsoFiles ? { files: 'true' } : {} }),
    onSuccess: async () => {
      await navigate({ to: '/jobs' });
      queries.removeQueries({ queryKey: jobQueryKey(jobId) });
      await queries.resetQueries({ queryKey: ['jobs'] });
    },
    onError: notifyFailure('Could not delete the job'),
  });
  const isAtProvider = Object.values(files).some((file) => file.storage_provider_id !== undefined);
  const consequence = isAtProvider
    ? 'This deletes the job, and its download links stop working. Its files at the storage provider stay unless you delete them too. You cannot undo this.'
    : 'This deletes the job and its files, and its download links stop working. You cannot undo this.';
  return (
    <ConfirmButton
      label="Delete"
      Icon={Trash2}
      question="Delete this job?"
      consequence={consequence}
      confirm="Delete job"
      action={remove}
    >
      {isAtProvider ? (
        <Checkbox mt="md" label="Also delete the files at the storage provider" {...ticked(alsoFiles, setAlsoFiles)} />
      ) : null}
    </ConfirmButton>
  );
}

function useJobActions(jobId: string, onCancelled: () => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const cancel = useMutation({
    mutationFn: () => client.cancelJob({ params: { id: jobId } }),
    onSuccess: async (job) => {
      await setCachedJob(queries, job);
      onCancelled();
    },
    onError: notifyFailure('Could not cancel the job'),
  });
  const retry = useMutation({
    mutationFn: () => retryJob(client, jobId, () => crypto.randomUUID()),
    onSuccess: async (job) => {
      await setCachedJob(queries, job);
      void navigate({ to: '/jobs/$jobId', params: { jobId: job.jobId } });
    },
    onError: notifyFailure('Could not retry the job'),
  });
  return { cancel, retry };
}
