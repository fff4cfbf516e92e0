import { redeliverJobContract } from '../../core/api/deliveries.ts';
import { endingPorts } from '../runtime/ending-ports.ts';
import { route } from '../runtime/http/route.ts';
import { redeliverJob } from './app/redeliver-job.ts';

export const handler = route(redeliverJobContract, redeliverJob(endingPorts()));
