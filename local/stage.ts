import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { localDashboard } from './dashboard.ts';
import { lockDataDirectory } from './data-lock.ts';
import { createTables, startDynamoDb } from './emulators/dynamodb.ts';
import { createBuckets, startS3 } from './emulators/s3.ts';
import { createQueues, startSqs } from './emulators/sqs.ts';
import { startStepFunctions } from './emulators/step-functions/server.ts';
import { type Calls, emulatorTraffic, type Fault, type Traffic } from './emulators/traffic.ts';
import { runSchedule } from './event-sources/schedule.ts';
import { pollQueue } from './event-sources/sqs-poller.ts';
import { eventBuses, type PublishedEvent } from './events.ts';
import { openGateway } from './http/gateway.ts';
import { type IdentityProvider, startIdentityProvider } from './identity/server.ts';
import { stageFunctions } from './lambda/functions.ts';
import { localFunctionPlans } from './lambda/local-function-plans.ts';
import type { InvocationResult } from './lambda/runtime-api.ts';
import type { Log } from './log.ts';
import { type Assembly, readAssembly } from './template/assembly.ts';
import type { Endpoints } from './template/resource-kind.ts';
import { planStage, type StagePlan } from './template/stage-plan.ts';

export type StageOptions = {
  /** The CDK assembly, the folder that holds `manifest.json`. */
  assemblyDirectory: string;
  /** Where everything is kept: a stage that is started on it again finds what was there. */
  dataDirectory: string;
  /** Of the HTTP front; 0 for any free one. */
  port: number;
  /** Variables of every function that replace those of the template, where a function has them. */
  environment?: Record<string, string>;
  /** A module that the process of every function loads before the function: tests give it names and faults of theirs. */
  preload?: string;
  /** The built dashboard, to be served at /app. */
  dashboardDirectory?: string;
  log: Log;
};

/** The template, running on this machine. */
export type Stage = {
  /** Of the HTTP API, without a slash at the end. */
  baseUrl: string;
  /** The provider that the template's functions trust; undefined where they trust none. */
  identity: IdentityProvider | undefined;
  endpoints: Endpoints;
  /** The names that the template gave, for whoever looks behind the API. */
  resources: StageResources;
  /** Everything published on the event buses so far, oldest first. */
  events(): readonly PublishedEvent[];
  /** Invokes a function by its name; throws when it is throttled. */
  invoke(functionName: string, event: unknown): Promise<InvocationResult>;
  /** How often each operation of each emulator was called. */
  calls(): Calls;
  resetCalls(): void;
  faults: {
    /** Makes an emulator fail until the function returned is called. */
    fail(fault: Fault): () => void;
    /** Kills the sandboxes of one function, or of all, in the middle of whatever they do. */
    killSandboxes(functionName?: string): Promise<void>;
  };
  /** Ends everything; no process and no connection stays. */
  stop(): Promise<void>;
};

export type StageResources = {
  tables: string[];
  buckets: string[];
  queues: string[];
  functions: string[];
  stateMachines: string[];
};

/**
 * Runs a synthesized CDK app whole on this machine, on the loopback interface only.
 *
 * @throws TemplateError naming the resource and property that cannot run here
 */
export async function startStage(options: StageOptions): Promise<Stage> {
  const assembly = await readAssembly(options.assemblyDirectory);
  const stops: Stops = [lockDataDirectory(options.dataDirectory)];
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  try {
    return { ...(await startParts(assembly, options, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What ends the parts that were started, in the order of their start. */
type Stops = (() => unknown)[];

async function startParts(
  assembly: Assembly,
  { dataDirectory, environment = {}, preload, dashboardDirectory, port, log }: StageOptions,
  stops: Stops,
): Promise<Omit<Stage, 'stop'>> {
  const traffic = emulatorTraffic();
  const emulators = await startEmulators(dataDirectory, traffic, stops);
  const front = await openGateway(port);
  stops.push(front.stop);
  const endpoints = endpointsOf(emulators, front.baseUrl);
  const plan = planStage(assembly, endpoints);
  await createResources(plan, endpoints);

  const temporaryDirectory = join(dataDirectory, 'sandboxes');
  // Of sandboxes that ended with an earlier stage.
  await rm(temporaryDirectory, { recursive: true, force: true });
  const identity = await startIdentityOf(plan, stops);
  const keys: Record<string, string> = identity ? { OIDC_JWKS_URI: identity.jwksUri } : {};
  const functions = stageFunctions(localFunctionPlans(plan, { ...keys, ...environment }), {
    endpoints,
    temporaryDirectory,
    preload,
    log,
  });
  stops.push(functions.stop);
  const events = eventBuses(plan.eventBuses, log);
  emulators.sfn.serve(plan.stateMachines, { functions, events });
  const pages =
    identity && dashboardDirectory
      ? await localDashboard({ directory: dashboardDirectory, identity, s3Endpoint: endpoints.s3 })
      : undefined;
  front.serve({ api: plan.api, functions, log, pages });
  for (const mapping of plan.queueMappings) {
    stops.push(pollQueue(mapping, { endpoint: endpoints.sqs, functions, log }).stop);
  }
  for (const schedule of plan.schedules) stops.push(runSchedule(schedule, { functions, log }).stop);

  return {
    baseUrl: front.baseUrl,
    identity,
    endpoints,
    resources: resourcesOf(plan),
    events: events.published,
    invoke: functions.invoke,
    calls: traffic.calls,
    resetCalls: traffic.resetCalls,
    faults: { fail: traffic.fail, killSandboxes: functions.kill },
  };
}

/** The provider that the functions' environment names as the issuer of session tokens. */
async function startIdentityOf(
  { functions }: StagePlan,
  stops: Stops,
): Promise<IdentityProvider | undefined> {
  const named = functions.find(({ environment }) => environment.OIDC_ISSUER !== undefined);
  if (!named) return undefined;
  const { OIDC_ISSUER: issuer = '', OIDC_AUDIENCE: audience = '' } = named.environment;
  const identity = await startIdentityProvider({ issuer, audience });
  stops.push(identity.stop);
  return identity;
}

type Emulators = Awaited<ReturnType<typeof startEmulators>>;

async function startEmulators(dataDirectory: string, traffic: Traffic, stops: Stops) {
  const started = await Promise.allSettled([
    startDynamoDb(join(dataDirectory, 'dynamodb'), traffic),
    startSqs(join(dataDirectory, 'sqs'), traffic),
    startS3(join(dataDirectory, 's3'), traffic),
    startStepFunctions(join(dataDirectory, 'step-functions'), traffic),
  ]);
  for (const one of started) if (one.status === 'fulfilled') stops.push(one.value.stop);
  const [dynamodb, sqs, s3, sfn] = started;
  return { dynamodb: startedOne(dynamodb), sqs: startedOne(sqs), s3: startedOne(s3), sfn: startedOne(sfn) };
}

function startedOne<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

function endpointsOf({ dynamodb, sqs, s3, sfn }: Emulators, api: string): Endpoints {
  return { dynamodb: dynamodb.endpoint, sqs: sqs.endpoint, s3: s3.endpoint, sfn: sfn.endpoint, api };
}

async function createResources(plan: StagePlan, endpoints: Endpoints): Promise<void> {
  await Promise.all([
    createTables(endpoints.dynamodb, plan.tables),
    createQueues(endpoints.sqs, plan.queues),
    createBuckets(endpoints.s3, plan.buckets),
  ]);
}

function resourcesOf(plan: StagePlan): StageResources {
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
  return {
    tables: names(plan.tables),
    buckets: names(plan.buckets),
    queues: names(plan.queues),
    functions: names(plan.functions),
    stateMachines: plan.stateMachines.map(({ arn }) => arn),
  };
}
