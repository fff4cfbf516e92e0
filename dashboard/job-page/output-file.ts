import type { JobResource } from '../../core/api/job-resource.ts';

/** A file of a completed job, as the API returns it. */
export type OutputFile = NonNullable<JobResource['output_files']>[string];
