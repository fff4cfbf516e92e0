import { route } from '../../../adapters/runtime/http/route.ts';
import { submissionPorts } from '../../../adapters/runtime/submission.ts';
import { retryJobContract } from '../../../core/api/job-actions.ts';
import { retryJob } from '../retry-job.ts';

export const handler = route(retryJobContract, retryJob(submissionPorts()));
