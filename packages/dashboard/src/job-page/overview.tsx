import { Stack } from '@mantine/core';
import { jobName, replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { JobResource } from '@media-jobs/core/api';
import { JobProgress } from '../job/job-progress.tsx';
import { isUnfinished } from '../job/use-job.ts';
import { Section } from '../ui/section.tsx';
import { JobDetails, JobMetadata } from './job-details.tsx';
import { JobError } from './job-error.tsx';
import { JobWarnings } from './job-warnings.tsx';
import { OutputFiles } from './output-files.tsx';
import { Outputs } from './outputs.tsx';
import classes from './overview.module.css';
import { Result } from './result.tsx';
import { Timeline } from './timeline.tsx';

export function Overview({ job }: { job: JobResource }) {
  const { metadata = {} } = job;
  return (
    <div className={classes.columns}>
      <Stack gap="lg" className={classes.main}>
        {isUnfinished(job) ? (
          <Section title="Progress">
            <JobProgress job={job} label={`Progress of ${replaceUnsafeCharacters(jobName(job))}`} />
          </Section>
        ) : null}
        <JobError job={job} />
        <JobWarnings job={job} />
        <Outputs job={job} />
        <Result job={job} />
        <OutputFiles job={job} />
      </Stack>
      <Stack gap="lg">
        <Section title="Timeline">
          <Timeline job={job} />
        </Section>
        <Section title="Details">
          <JobDetails job={job} />
        </Section>
        {Object.keys(metadata).length === 0 ? null : (
          <Section title="Metadata">
            <JobMetadata metadata={metadata} />
          </Section>
        )}
      </Stack>
    </div>
  );
}
