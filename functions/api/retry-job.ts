import { retryJobContract } from '../../core/api/job-actions.ts';
import { route } from '../runtime/http/route.ts';
import { submitJobDeps } from '../runtime/submit-job-deps.ts';
import { retryJob } from './app/retry-job.ts';

export const handler = route(retryJobContract, retryJob(submitJobDeps()));
