import { Stack } from '@mantine/core';
import type { JobResource } from '../../core/api/job-resource.ts';
import { nameOf } from '../../words/job-name.ts';
import { JobProgress } from '../jobs/job-progress.tsx';
import { isUnfinished } from '../jobs/use-job.ts';
import { Section } from '../shell/section.tsx';
import { Facts } from './facts.tsx';
import { Failure } from './failure.tsx';
import { Files } from './files.tsx';
import classes from './overview.module.css';
import { Result } from './result.tsx';
import { Timeline } from './timeline.tsx';

/** How a job went, and what came out of it. */
export function Overview({ job }: { job: JobResource }) {
  return (
    <div className={classes.columns}>
      <Stack gap="lg" className={classes.main}>
        {isUnfinished(job) ? (
          <Section title="Progress">
            <JobProgress job={job} label={`Progress of ${nameOf(job)}`} />
          </Section>
        ) : null}
        <Failure job={job} />
        <Result job={job} />
        <Files job={job} />
      </Stack>
      <Stack gap="lg">
        <Section title="Timeline">
          <Timeline job={job} />
        </Section>
        <Section title="Details">
          <Facts job={job} />
        </Section>
      </Stack>
    </div>
  );
}
