import { answerPart, route } from '../../../adapters/runtime/http/route.ts';
import { acceptJobPorts } from '../../../adapters/runtime/submission.ts';
import { createJobContract } from '../../../core/api/create-job.ts';
import { createJob } from '../create-job.ts';

export const handler = answerPart({ createJob: route(createJobContract, createJob(acceptJobPorts())) });
