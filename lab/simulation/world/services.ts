import type { JobRef } from '../../../core/jobs/ports.ts';
import type { DeliveryRef, DeliveryRetries, DeliveryRetry } from '../../../core/webhooks/delivery.ts';
import type { FargateExecutions } from './fargate-executions.ts';
import type { ParallelExecutions } from './parallel-executions.ts';
import type { PoolExecutions } from './pool-executions.ts';
import type { World } from './world.ts';

type Execution = { name: string; input: DeliveryRetry };

/** A world with the services that invoke functions. */
export type Services = {
  world: World;
  queue: { send(ref: JobRef, delayMs?: number): void };
  parallel: ParallelExecutions;
  fargate: FargateExecutions;
  pool: PoolExecutions;
  deliveries: { send(delivery: DeliveryRef): void };
  executions: { start(execution: Execution): Awaited<ReturnType<DeliveryRetries['start']>> };
};
