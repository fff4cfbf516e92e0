import { Progress, Text } from '@mantine/core';
import type { JobResource } from '../../core/api/job-resource.ts';
import { stageOf } from './job-words.ts';

/** How far an unfinished job is, and what it is doing. */
export function JobProgress({ job, label }: { job: JobResource; label: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed" className="numbers" mb={4}>
        {stageOf(job)}
        {job.state === 'processing' ? ` · ${job.progress} %` : ''}
      </Text>
      <Progress.Root size={6}>
        <Progress.Section value={job.progress} aria-label={label} />
      </Progress.Root>
    </div>
  );
}
