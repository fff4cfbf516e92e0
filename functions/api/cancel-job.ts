import { cancelJobContract } from '../../core/api/job-actions.ts';
import { endingPorts } from '../runtime/ending-ports.ts';
import { route } from '../runtime/http/route.ts';
import { cancelJob } from './app/cancel-job.ts';

export const handler = route(cancelJobContract, cancelJob(endingPorts()));
