import type { JobResource } from '@media-jobs/core/api';

export type OutputFile = NonNullable<JobResource['output_files']>[string];
