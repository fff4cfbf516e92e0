import { redeliverJobContract } from '../../core/api/deliveries.ts';
import { route } from '../runtime/http/route.ts';
import { readOwnerLimits } from '../runtime/owner-limits.ts';
import { startDeliveryDeps } from '../runtime/start-delivery-deps.ts';
import { redeliverJob } from './app/redeliver-job.ts';

export const handler = route(
  redeliverJobContract,
  redeliverJob({ ...startDeliveryDeps(), limits: readOwnerLimits() }),
);
