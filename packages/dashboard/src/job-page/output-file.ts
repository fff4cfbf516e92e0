import type { JobResource } from '@media-jobs/core/api';

/** A file of a completed job, as the API returns it. */
export type OutputFile = NonNullable<JobResource['output_files']>[string];
