import '../styles/deferred.ts';
import { Anchor, Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { jobName } from '@media-jobs/cli/formatting';
import { ApiError } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { taskLabel } from '../job/job-labels.ts';
import { RequestCode } from '../job/request-code.tsx';
import { StateBadge } from '../job/state-badge.tsx';
import { useJob } from '../job/use-job.ts';
import { SavePreset } from '../presets/save-preset.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { Page } from '../ui/page.tsx';
import { Deliveries } from './deliveries.tsx';
import { JobActions } from './job-actions.tsx';
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
    <Page title={jobName(job)} above={<BackToJobs />} lead={<Lead job={job} />} actions={<JobActions job={job} />}>
      {problem === null ? null : <div className={classes.problem}>{problem}</div>}
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

function BackToJobs() {
  return (
    <Anchor
      renderRoot={(props) => <Link to="/jobs" {...props} />}
      size="sm"
      c="dimmed"
      style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}
    >
      <ArrowLeft size={14} aria-hidden /> Jobs
    </Anchor>
  );
}
