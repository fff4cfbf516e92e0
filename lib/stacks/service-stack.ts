import { Annotations, CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Contract } from '../../core/api/contract.ts';
import { fallback } from '../build/entries.ts';
import { AccountBudget } from '../constructs/account-budget.ts';
import { Alarms } from '../constructs/alarms.ts';
import { apiFunction, apiFunctions, type OriginCheck } from '../constructs/api-functions.ts';
import { BundledFunction, filesOf, type StageCode } from '../constructs/bundled-function.ts';
import type { DashboardPagesProps } from '../constructs/dashboard-pages.ts';
import { Domain } from '../constructs/domain.ts';
import { EdgeDistribution, type EdgeDistributionProps } from '../constructs/edge-distribution.ts';
import { FargateTasks } from '../constructs/fargate-tasks.ts';
import { JobApi } from '../constructs/job-api.ts';
import { OpenJob } from '../constructs/open-job.ts';
import { OperationsDashboard } from '../constructs/operations-dashboard.ts';
import { OriginSecret } from '../constructs/origin-secret.ts';
import { edgeMaintenance } from '../constructs/playback-edge.ts';
import { DeliveryQueue, TaskQueue, TranscodeQueue } from '../constructs/queues.ts';
import { Reconciler } from '../constructs/reconciler.ts';
import { StageUsers } from '../constructs/stage-users.ts';
import { FargateStateMachine, LoopStateMachine, ParallelStateMachine } from '../constructs/state-machines.ts';
import { Watcher } from '../constructs/watcher.ts';
import { Transcoder, WorkerFunction } from '../constructs/worker-function.ts';
import { grantJobUses, grantUses, nameUses } from '../grant-uses.ts';
import { namePrefix, pascalCase } from '../names.ts';
import { divideCapacity } from '../settings/capacity.ts';
import { hasFirewall, needsDistribution } from '../settings/edge.ts';
import { isOfStage } from '../settings/identity.ts';
import { needsGlobalBudget } from '../settings/regions.ts';
import type { Settings } from '../settings/settings.ts';
import { readStagePresets } from '../settings/stage-presets.ts';
import { assertNoWatchLoops } from '../settings/watch-loops.ts';
import { filesOfWatches } from '../settings/watches.ts';
import { waitMs } from '../settings/webhooks.ts';
import { type StageResources, statefulResources } from '../stage-resources.ts';
import { jobUses, workerUses } from '../worker-uses.ts';

export type ServiceStackProps = StackProps & {
  settings: Settings;
  contracts: readonly Contract[];
  /** Contains the bundles: `functions/<name>` and `images/transcode`. */
  buildDirectory: string;
  /** Contains the built dashboard. Read only if the stage has a dashboard. */
  dashboardDirectory: string;
  certificate?: ICertificate | undefined;
  webAclArn?: string | undefined;
};

/** API and workers. The stack can be replaced or removed without losing records or files. */
export class ServiceStack extends Stack {
  /** Base URL of the API, without a trailing slash. */
  readonly publicUrl: string;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    const { settings: given, contracts, buildDirectory, dashboardDirectory, certificate, webAclArn, ...stack } = props;
    super(scope, id, { description: `Media jobs, stage ${given.stage}: API and workers`, ...stack });
    // Weak references read the edge stack's values at deployment: exports cannot change or cross regions.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const users = isOfStage(given.identityProvider) ? new StageUsers(this, 'Users', given) : undefined;
    const settings = users === undefined ? given : { ...given, identityProvider: users.provider };
    const eventBus = new EventBus(this, 'Events', { eventBusName: namePrefix(settings.stage) });
    const { queue, deadLetterQueue } = new TranscodeQueue(this, 'Transcode', settings);
    const deliverWebhook = deliveryFunction(this, { settings, buildDirectory });
    const deliveries = new DeliveryQueue(this, 'Deliveries', settings);
    deliveries.process(deliverWebhook, settings);
    const delivery = { settings, name: 'webhook-delivery', invoked: deliverWebhook } as const;
    const deliveryStateMachine = new LoopStateMachine(this, 'Delivery', delivery);
    const chunks = chunkFunctions(this, { settings, buildDirectory });
    const { encodeChunk, joinChunks, taskDeadLetterQueues } = chunks;
    const parallelStateMachine = new ParallelStateMachine(this, 'Parallel', { settings, ...chunks });
    const fargate = fargateTasks(this, { settings, buildDirectory });
    const http = new JobApi(this, 'Http', {
      settings,
      fallback: apiFunction(this, { name: fallback, buildDirectory, settings }).lambda,
    });
    const { api } = http;
    const stored = statefulResources(this, settings);
    const pages = { directory: dashboardDirectory, mediaBucketName: stored.media.name };
    const dashboard = dashboardProps(settings, pages);
    const mediaBucketName = stored.media.name;
    const edge = this.addEdge({ settings, api, dashboard, certificate, webAclArn, mediaBucketName });
    const { domain } = settings;
    if (domain !== undefined) {
      new Domain(this, 'Domain', { settings: domain, api, stage: http.stage, distribution: edge?.distribution });
    }
    const publicUrl = domain ? `https://${domain.name}` : (edge?.url ?? api.apiEndpoint);
    this.publicUrl = publicUrl;
    users?.returnTo(publicUrl);
    const { lambda: openJob, jobRole } = new OpenJob(this, 'OpenJob', { settings, buildDirectory });
    const presets = readStagePresets(settings.presets);
    assertNoWatchLoops(settings, presets);
    // The 512 MB of its disk hold a manifest of 100 MB, or the listing of a million objects.
    const { lambda: runBatch } = new BundledFunction(this, {
      name: 'run-batch',
      buildDirectory,
      settings,
      files: { ...filesOf(presets), ...filesOfWatches(settings) },
      memoryMb: 1024,
      timeoutSeconds: 300,
    });
    const resources: StageResources = {
      settings,
      presets,
      ...stored,
      queue,
      deliveryQueue: deliveries.queue,
      encodeChunkQueue: chunks.encodeChunkQueue,
      deliveryStateMachine,
      batchStateMachine: new LoopStateMachine(this, 'Batch', { settings, name: 'batch', invoked: runBatch }),
      eventBus,
      parallelStateMachine,
      fargateStateMachine: fargate?.machine,
      openJob,
      poolStateMachine: fargate?.pool,
      edgeStoreArn: edge?.storeArn,
      // API and distribution do not depend on functions; only routes do.
      publicUrl,
    };
    const { lambda: transcode } = new Transcoder(this, 'Transcoder', { queue, settings, buildDirectory });
    const { lambda: reconcile } = new Reconciler(this, 'Reconciler', { settings, buildDirectory });
    const workers = { deliverWebhook, transcode, encodeChunk, joinChunks, reconcile };
    grantUses(runBatch, workerUses.runBatch, resources);
    for (const name of ['deliverWebhook', 'transcode', 'encodeChunk', 'joinChunks', 'reconcile'] as const) {
      grantUses(workers[name], workerUses[name], resources);
    }
    if (fargate !== undefined) grantUses(fargate.tasks, workerUses.fargateTask, resources);
    grantUses(openJob, workerUses.openJob, resources);
    const hasWatches = settings.watches.length > 0;
    if (hasWatches) grantUses(runBatch, workerUses.backfill, resources);
    const watch = hasWatches ? new Watcher(this, 'Watcher', { settings, presets, buildDirectory }).lambda : undefined;
    if (watch !== undefined) grantUses(watch, workerUses.watch, resources);
    grantJobUses(jobRole, Object.values(jobUses).flat(), resources);
    const sessions = { transcode, encodeChunk, joinChunks, ...(fargate && { fargateTask: fargate.tasks }) };
    for (const [name, worker] of Object.entries(sessions)) {
      nameUses(worker, jobUses[name as keyof typeof jobUses], resources);
    }
    if (edge !== undefined) {
      grantUses(edgeMaintenance(this, { settings, buildDirectory }), workerUses.maintainEdge, resources);
    }
    http.addRoutes(apiFunctions(this, { contracts, buildDirectory, resources, origin: edge?.origin }), settings);
    const { stage, alarmEmail, budgetUsdPerMonth } = settings;
    const machines = {
      parallelStateMachine: parallelStateMachine.stateMachine,
      fargateStateMachine: fargate?.machine.stateMachine,
    };
    if (!needsGlobalBudget(settings)) new AccountBudget(this, 'AccountBudget', settings);
    const { encodeChunkQueue, joinChunksQueue } = chunks;
    const taskQueues = [encodeChunkQueue, joinChunksQueue];
    const deadLetterQueues = [deadLetterQueue, ...taskDeadLetterQueues];
    const queues = { taskQueues, deliveryQueue: deliveries.queue, deadLetterQueues };
    const watched = { stage, budgetUsdPerMonth, ...queues, api, ...workers, ...machines, watch };
    const { alarms } = new Alarms(this, 'Alarms', { ...watched, alarmEmail });
    new OperationsDashboard(this, 'Operations', { ...watched, queue, alarms });
  }

  /** Adds CloudFront, if the stage needs it. Only a firewall has to be in front of every request. */
  private addEdge(
    props: Omit<EdgeDistributionProps, 'originHeaders'>,
  ): { distribution: Distribution; url: string; storeArn: string; origin: OriginCheck | undefined } | undefined {
    const { settings } = props;
    if (!needsDistribution(settings)) return undefined;
    const secret = hasFirewall(settings.edge)
      ? new OriginSecret(this, 'OriginSecret', { number: settings.edge.originSecret })
      : undefined;
    const originHeaders = secret?.headers ?? {};
    const edge = new EdgeDistribution(this, 'EdgeDistribution', { ...props, originHeaders });
    const { distribution, url, storeArn } = edge;
    if (secret === undefined) return { distribution, url, storeArn, origin: undefined };
    Annotations.of(this).addWarningV2(
      'media-jobs:closed-addresses',
      `With this deployment only ${settings.domain?.name ?? 'the host name of CloudFront'} answers requests: the firewall closes the address of API Gateway (HttpUrl...), also for URLs of files that were signed for it.`,
    );
    return { distribution, url, storeArn, origin: { distribution, acceptedSecret: secret.accepted } };
  }
}

function deliveryFunction(scope: Construct, { settings, buildDirectory }: StageCode): LambdaFunction {
  const { lambda } = new BundledFunction(scope, {
    name: 'deliver-webhook',
    buildDirectory,
    settings,
    memoryMb: 512,
    // An attempt takes up to 10 s, after a delay of up to 1 s.
    timeoutSeconds: 30,
    isInChains: true,
  });
  lambda.addEnvironment('LATER_ATTEMPTS_MS', JSON.stringify(settings.webhooks.laterAttempts.map(waitMs)));
  return lambda;
}

/** Separate from the transcoder, so that chunks do not use its concurrency. Each has a queue that bounds its own. */
function chunkFunctions(
  scope: Construct,
  { settings, buildDirectory }: StageCode,
): Record<'encodeChunk' | 'joinChunks', LambdaFunction> &
  Record<'encodeChunkQueue' | 'joinChunksQueue', IQueue> & { taskDeadLetterQueues: IQueue[] } {
  const { chunks, joins } = divideCapacity(settings);
  const worker = (name: string, maxConcurrency: number) => {
    const id = pascalCase(name);
    const { lambda } = new WorkerFunction(scope, id, { name, file: name, buildDirectory, settings, maxConcurrency });
    const tasks = new TaskQueue(scope, `${id}Tasks`, { stage: settings.stage, name });
    tasks.process(lambda, maxConcurrency);
    return { lambda, queue: tasks.queue, deadLetterQueue: tasks.deadLetterQueue };
  };
  const encode = worker('encode-chunk', chunks);
  const join = worker('join-chunks', joins);
  return {
    encodeChunk: encode.lambda,
    encodeChunkQueue: encode.queue,
    joinChunks: join.lambda,
    joinChunksQueue: join.queue,
    taskDeadLetterQueues: [encode.deadLetterQueue, join.deadLetterQueue],
  };
}

/** A stage has Fargate tasks if its settings name their network. */
function fargateTasks(
  scope: Construct,
  { settings, buildDirectory }: StageCode,
): { tasks: FargateTasks; machine: FargateStateMachine; pool: FargateStateMachine | undefined } | undefined {
  const { fargate } = settings;
  if (fargate === undefined) return undefined;
  const tasks = new FargateTasks(scope, 'FargateTasks', { settings, fargate, buildDirectory });
  const { pool } = fargate;
  return {
    tasks,
    machine: new FargateStateMachine(scope, 'Fargate', { settings, fargate, tasks }),
    pool: pool && new FargateStateMachine(scope, 'Pool', { settings, fargate, tasks, pool }),
  };
}

function dashboardProps(
  { stage, identityProvider, logRetentionDays }: Settings,
  site: Pick<DashboardPagesProps, 'directory' | 'mediaBucketName'>,
): DashboardPagesProps | undefined {
  if (identityProvider?.dashboardClient === undefined) return undefined;
  const { dashboardClient } = identityProvider;
  return { ...site, stage, logRetentionDays, provider: { ...identityProvider, dashboardClient } };
}
