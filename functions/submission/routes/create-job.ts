import { acceptJobPorts } from '../../../adapters/runtime/accept-job.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { createJobContract } from '../../../core/api/create-job.ts';
import { createJob } from '../create-job.ts';

export const handler = route(createJobContract, createJob(acceptJobPorts()));
