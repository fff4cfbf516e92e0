import { type Clause, section } from '../clause.ts';
import { expectField } from '../expectation.ts';
import { readSampleJob } from '../jobs/jobs.ts';

function field(name: string, kind: 'string' | 'boolean', row: string): Omit<Clause, 'section'> {
  return {
    id: `job-error.${name}`,
    sentence: row,
    check: async (run) => {
      expectField(await readSampleJob(run, 'failed'), `error.${name}`, kind);
    },
  };
}

export const jobError: Clause[] = section('Error object inside a failed job result', [
  field('code', 'string', 'code | string | Error code, for example `TRANSCODE_ERROR`.'),
  field('message', 'string', 'message | string | Human-readable text.'),
  field('stage', 'string', 'stage | string | Processing stage where the failure occurred, for example `transcoding`.'),
  field('retryable', 'boolean', 'retryable | boolean | Whether retrying may help.'),
]);
