import type { JobResource } from '@media-jobs/core/api';
import { labelFromCode } from '../format/labels.ts';
import { Callout } from '../ui/callout.tsx';
import { LongText } from '../ui/long-text.tsx';

/** What the result of a job lacks, or assumed of its input. */
export function JobWarnings({ job }: { job: JobResource }) {
  return job.warnings.map(({ code, message, output }) => (
    <Callout key={`${code} ${output} ${message}`} tone="warning" title={labelFromCode(code)}>
      <LongText what="the warning" maxCharacters={400}>
        {output === undefined ? message : `${output}: ${message}`}
      </LongText>
    </Callout>
  ));
}
