import { ownerLimitsSchema } from '../../../core/access/owner-limits.ts';
import type { AttemptRef, DeliveryRef } from '../../../core/webhooks/delivery.ts';
import { beginDelivery, deliverWebhook } from '../../../functions/deliver-webhook/app.ts';
import { recoverDeliveries, redeliverJob } from '../../../functions/jobs/deliveries.ts';
import { cancelJob, deleteJob, retryJob } from '../../../functions/jobs/job-actions.ts';
import { listJobs } from '../../../functions/jobs/list-jobs.ts';
import { type ReconcileDeps, reconcile } from '../../../functions/reconcile/app.ts';
import { oldestWaiting } from '../../../functions/reconcile/oldest-waiting.ts';
import { startPool } from '../../../functions/reconcile/start-pool.ts';
import { createJob } from '../../../functions/submission/create-job.ts';
import { memoryPlaybackRecords } from '../memory/playback-records.ts';
import { memoryPresetTable } from '../memory/preset-table.ts';
import { type Deliver, deliveryExecutions } from './delivery-executions.ts';
import { fargateExecutions } from './fargate-executions.ts';
import { invoke } from './invocation.ts';
import type { Invocation, Outcome } from './invocation-types.ts';
import { parallelExecutions } from './parallel-executions.ts';
import { poolExecutions } from './pool-executions.ts';
import { laterAttemptsMs, portsOf } from './ports.ts';
import { type Consumer, queueOf } from './queue.ts';
import { receiversOf } from './receiver.ts';
import { runEveryMinute } from './schedule.ts';
import type { Services } from './services.ts';
import { workersOf } from './workers.ts';
import type { World } from './world.ts';

const second = 1_000;
/** The time-outs in lib/, after which the platform kills a function, and the reserve of the handlers. */
const timeouts = { deliver: 30 * second, reconcile: 55 * second, api: 20 * second };
const reconcileReserveMs = 15 * second;

export type StageSettings = Pick<ReconcileDeps, 'maxQueueMs' | 'maxJobsPerShard' | 'ownerLimit'>;

/** The apps of the API for one invocation. */
export type Api = ReturnType<typeof apiOf>;

/** Runs `main` with the apps of the API as one invocation. */
export type CallApi = <T>(options: {
  app: string;
  jobId?: string | undefined;
  main: (api: Api) => Promise<T>;
  onEnd: (outcome: Outcome<T>) => void;
}) => void;

/** The whole service on one world: the real apps, called by queue, state machine, schedule and clients. */
export function newStage(world: World, settings: StageSettings): { callApi: CallApi } {
  const postTo = receiversOf(world);
  const workers = workersOf(() => services);
  const deliveryDeps = (invocation: Invocation, attempt: AttemptRef) => ({
    ...portsOf(services, invocation),
    post: postTo(invocation, attempt),
    laterAttemptsMs,
    userAgent: 'media-jobs/simulation',
  });
  const delivering = { app: 'deliver-webhook', timeoutMs: timeouts.deliver };
  const deliver: Deliver = (input, onEnd) => {
    const main = (invocation: Invocation) => deliverWebhook(deliveryDeps(invocation, input))(input);
    invoke(world, { ...delivering, jobId: input.jobId, main, onEnd });
  };
  const begin: Consumer<DeliveryRef> = (delivery, onEnd) => {
    const first = { ...delivery, attempt: 1 };
    const main = (invocation: Invocation) => beginDelivery(deliveryDeps(invocation, first))(delivery);
    invoke(world, { ...delivering, jobId: delivery.jobId, main, onEnd });
  };
  const services: Services = {
    world,
    queue: queueOf(world, workers.transcode, {
      visibilityTimeoutMs: 90 * 60 * second,
      maxReceives: 5,
      maxConcurrency: world.workers,
    }),
    // Until a message expires after ten minutes.
    deliveries: queueOf(world, begin, {
      visibilityTimeoutMs: 60 * second,
      maxReceives: 10,
      maxConcurrency: world.firstAttempts,
    }),
    parallel: parallelExecutions(world, workers),
    fargate: fargateExecutions(world, workers.fargateTask),
    pool: poolExecutions(world, workers.poolSlot),
    executions: deliveryExecutions(world, deliver),
  };

  runEveryMinute(world, () => {
    const until = new Date(world.scheduler.now() + timeouts.reconcile - reconcileReserveMs);
    const main = async (invocation: Invocation) => {
      const ports = portsOf(services, invocation);
      const ignored = {
        onStep: () => undefined,
        onFailure: () => undefined,
        onQueryFailure: () => undefined,
      };
      await reconcile({ ...ports, ...settings, ...ignored })(until);
      await startPool(ports);
      await oldestWaiting(ports)();
    };
    invoke(world, { app: 'reconcile', timeoutMs: timeouts.reconcile, main, onEnd: () => undefined });
  });
  return {
    callApi: ({ main, ...options }) =>
      invoke(world, {
        ...options,
        timeoutMs: timeouts.api,
        main: (invocation) => main(apiOf(services, invocation)),
      }),
  };
}

function apiOf(services: Services, invocation: Invocation) {
  const { usdPerDay, maxRunningJobs } = services.world;
  const ports = {
    ...portsOf(services, invocation),
    minuteUsd: 0.0024,
    speeds: { default: 'standard' as const, hasPool: true },
    limits: ownerLimitsSchema.parse({ usdPerDay, maxRunningJobs }),
  };
  const anyUrl = { schemes: ['https'], reachable: [] } as const;
  return {
    createJob: createJob({
      ...ports,
      presets: memoryPresetTable(),
      urlRules: { input: anyUrl, webhook: anyUrl, buckets: { buckets: [], region: 'us-east-1' } },
    }),
    cancelJob: cancelJob(ports),
    retryJob: retryJob(ports),
    // Without an edge there is nothing to revoke.
    deleteJob: deleteJob({ ...ports, playbacks: memoryPlaybackRecords() }),
    redeliverJob: redeliverJob(ports),
    recoverDeliveries: recoverDeliveries(ports),
    listJobs: listJobs(ports),
  };
}
