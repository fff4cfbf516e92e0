import { route } from '../../adapters/runtime/http/route.ts';
import { readOwnerLimits } from '../../adapters/runtime/owner-limits.ts';
import { startDeliveryDeps } from '../../adapters/runtime/start-delivery-deps.ts';
import { redeliverJobContract } from '../../core/api/deliveries.ts';
import { redeliverJob } from './app/redeliver-job.ts';

export const handler = route(
  redeliverJobContract,
  redeliverJob({ ...startDeliveryDeps(), limits: readOwnerLimits() }),
);
