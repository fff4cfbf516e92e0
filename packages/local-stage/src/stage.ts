import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDataDirectory } from './data-lock.ts';
import { startCredentialsServer } from './ecs/credentials-server.ts';
import { stageTasks, type Tasks } from './ecs/tasks.ts';
import { serveEdge } from './edge/edge.ts';
import { createTables } from './emulators/dynamodb.ts';
import { createBuckets } from './emulators/s3.ts';
import type { OtherS3 } from './emulators/s3-forwarding.ts';
import { createQueues, sendMessage } from './emulators/sqs.ts';
import { emulatorEndpoints, type Stops, startEmulators } from './emulators/start-emulators.ts';
import { type Calls, emulatorTraffic, type Fault, type Traffic } from './emulators/traffic.ts';
import { eventRules, notifyingBuckets, objectEvents } from './event-sources/object-events.ts';
import { runSchedule } from './event-sources/schedule.ts';
import { pollQueue } from './event-sources/sqs-poller.ts';
import { eventBuses, type PublishedEvent } from './events.ts';
import { type GatewayRoute, openGateway } from './http/gateway.ts';
import type { PageHandler } from './http/gateway-response.ts';
import { routeArn } from './http/routes.ts';
import { type IdentityProvider, startIdentityProvider } from './identity/server.ts';
import { type Functions, stageFunctions } from './lambda/functions.ts';
import { type LocalEnvironment, localFunctionPlans, localTaskDefinitions } from './lambda/local-function-plans.ts';
import type { InvocationResult } from './lambda/runtime-api.ts';
import type { Log } from './log.ts';
import type { AccessControl } from './permissions/access-control.ts';
import type { ForeignRole } from './permissions/foreign-roles.ts';
import { permissionGuard } from './permissions/guard.ts';
import { functionsInvokedBy, runTasksAs, sendAs } from './permissions/guard-invocations.ts';
import { checkPlatformAccess } from './permissions/platform-access.ts';
import type { UseReport } from './permissions/use-report.ts';
import { type Assembly, readAssembly } from './template/assembly.ts';
import type { Endpoints } from './template/resource-kind.ts';
import { planStage, type StagePlan } from './template/stage-plan.ts';

export type StageOptions = {
  /** The CDK assembly, with `manifest.json`. */
  assemblyDirectory: string;
  /** Stores all data of the stage between starts. */
  dataDirectory: string;
  /** Port of the API; 0 for any free port. */
  port: number;
  environment?: LocalEnvironment;
  /** Concurrent executions of the account, over all functions; 1,000 by default. A new account has 10. */
  accountConcurrency?: number;
  /** Module that every function process loads first. Tests use it for host names and faults. */
  preload?: string;
  /** Buckets of the account that no template has. They are made if they do not exist. */
  buckets?: readonly string[];
  /** A server that has some buckets in place of the emulator. */
  otherS3?: OtherS3 | undefined;
  /** Pages at the origin of the API. */
  pages?: (stage: { identity: IdentityProvider | undefined; s3Endpoint: string }) => Promise<PageHandler | undefined>;
  log: Log;
};

/** A running local stage. */
export type Stage = {
  /** Base URL of the HTTP API, without a trailing slash. */
  baseUrl: string;
  /** Undefined if the functions have no issuer configured. */
  identity: IdentityProvider | undefined;
  endpoints: Endpoints;
  /** Resource names of the template, for direct access in tests. */
  resources: StageResources;
  /** All published events, oldest first. */
  events(): readonly PublishedEvent[];
  /** Invokes a function. Throws InvocationError, such as for a throttled invocation. */
  invoke(functionName: string, event: unknown): Promise<InvocationResult>;
  /** Fires every schedule rule now instead of at its next interval. Resolves when its functions have ended. */
  fireSchedules(): Promise<void>;
  /** Number of calls to each operation of each emulator. */
  calls(): Calls;
  /** How often each policy statement allowed a call, and the denied calls. */
  permissions(): UseReport;
  resetCalls(): void;
  /** Adds a role of another AWS account, which functions can assume. */
  addForeignRole(role: ForeignRole): void;
  faults: {
    /** Makes an emulator fail until the returned function is called. */
    fail(fault: Fault): () => void;
    /** Puts a network between an emulator and its clients until the returned function is called. */
    slow: Traffic['slow'];
    /** Kills the sandboxes of one function, or of all, including busy ones. */
    killSandboxes(functionName?: string): Promise<void>;
    /** Sends a signal to the Fargate tasks: SIGTERM as ECS does before it kills one, SIGKILL as a crash does. */
    killTasks: Tasks['kill'];
    /**
     * Makes the image of a function pending, as Lambda does after weeks without an invocation, until the returned
     * function is called. Invocations get `CodeArtifactUserPendingException`.
     */
    makePending(functionName: string): () => void;
  };
  /** Stops all processes and closes all connections. */
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
 * Runs a synthesized CDK app on this machine, on the loopback interface only.
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
    return { ...(await startComponents(assembly, options, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startComponents(assembly: Assembly, options: StageOptions, stops: Stops): Promise<Omit<Stage, 'stop'>> {
  const { dataDirectory, port, log, buckets = [], otherS3 } = options;
  const traffic = emulatorTraffic();
  const onDenied = (message: string) => log('permissions', message);
  const guard = permissionGuard(onDenied);
  const emulators = await startEmulators(dataDirectory, { traffic, guard, otherS3 }, stops);
  const gateway = await openGateway(port);
  stops.push(gateway.stop);
  const endpoints = emulatorEndpoints(emulators, gateway.baseUrl);
  const plan = planStage(assembly, endpoints);
  await createResources(plan, endpoints);
  await createBuckets(endpoints.s3, ownBuckets(buckets, otherS3));
  emulators.kms.serve(plan.keys);
  const control = guard.enforce(plan);
  await checkPlatformAccess(plan, control, onDenied);

  const identity = await startConfiguredIdentityProvider(plan, gateway.baseUrl, stops);
  const { functions, tasks } = await startCompute(plan, { ...options, endpoints, identity }, stops);
  emulators.lambda.serve(functions);
  const events = eventBuses(plan.eventBuses, eventRules(plan, endpoints, control), log);
  emulators.s3.onCreated(objectEvents([...notifyingBuckets(plan), ...buckets], events));
  emulators.eventbridge.serve(events);
  emulators.sfn.serve(plan.stateMachines, ({ roleArn }) => ({
    functions: functionsInvokedBy({ roleArn }, functions, control),
    send: sendAs({ roleArn }, (message) => sendMessage(endpoints.sqs, message), control),
    runTask: runTasksAs(roleArn, tasks, control),
  }));
  const ownPages = await options.pages?.({ identity, s3Endpoint: endpoints.s3 });
  const { storeOf } = emulators.kvs;
  const edge = plan.edge && serveEdge(plan.edge, { s3Endpoint: endpoints.s3, control, storeOf });
  const pages: PageHandler = (...request) => ownPages?.(...request) ?? edge?.(...request);
  gateway.serve({ api: { ...plan.api, routes: guardedRoutes(plan, functions, control) }, log, pages });
  for (const mapping of plan.queueMappings) {
    stops.push(pollQueue(mapping, { endpoint: endpoints.sqs, traces: emulators.sqs.traces, functions, log }).stop);
  }
  const schedules = plan.schedules.map((schedule) => {
    const invoker = { service: 'events.amazonaws.com', sourceArn: schedule.arn };
    return runSchedule(schedule, { functions: functionsInvokedBy(invoker, functions, control), log });
  });
  for (const { stop } of schedules) stops.push(stop);

  return {
    baseUrl: gateway.baseUrl,
    identity,
    endpoints,
    resources: resourceNames(plan),
    events: events.published,
    invoke: functions.invoke,
    async fireSchedules() {
      await Promise.all(schedules.map(({ fire }) => fire()));
    },
    permissions: control.report,
    calls: traffic.calls,
    resetCalls: traffic.resetCalls,
    addForeignRole: emulators.sts.addRole,
    faults: {
      fail: traffic.fail,
      slow: traffic.slow,
      killSandboxes: functions.kill,
      killTasks: tasks.kill,
      makePending: functions.makePending,
    },
  };
}

/** The buckets that are made here: those of another server are its own. */
function ownBuckets(buckets: readonly string[], otherS3: OtherS3 | undefined): { name: string }[] {
  return buckets.filter((name) => !otherS3?.buckets.includes(name)).map((name) => ({ name }));
}

/** Prepares the sandboxes of the functions and of the Fargate tasks. They start with their first event. */
async function startCompute(
  plan: StagePlan,
  options: StageOptions & { endpoints: Endpoints; identity: IdentityProvider | undefined },
  stops: Stops,
): Promise<{ functions: Functions; tasks: Tasks }> {
  const { environment = () => ({}), identity, endpoints, accountConcurrency, preload, log } = options;
  const temporaryDirectory = join(options.dataDirectory, 'sandboxes');
  // Left by an earlier stage.
  await rm(temporaryDirectory, { recursive: true, force: true });
  const common = { endpoints, temporaryDirectory, preload, log };
  const jwksUri: Record<string, string> = identity ? { OIDC_JWKS_URI: identity.jwksUri } : {};
  const functionPlans = localFunctionPlans(plan, (template) => ({ ...jwksUri, ...environment(template) }));
  const functions = stageFunctions(functionPlans, { ...common, accountConcurrency });
  stops.push(functions.stop);
  const credentials = await startCredentialsServer();
  stops.push(credentials.stop);
  const tasks = stageTasks(localTaskDefinitions(plan, environment), { ...common, credentials });
  stops.push(tasks.stop);
  return { functions, tasks };
}

/** The routes of the API, whose functions the API must have the permission to invoke. */
function guardedRoutes({ api }: StagePlan, functions: Functions, control: AccessControl): GatewayRoute[] {
  return api.routes.map((route) => {
    const invoker = { service: 'apigateway.amazonaws.com', sourceArn: routeArn(api.name, route.key) };
    const { invoke } = functionsInvokedBy(invoker, functions, control);
    return { ...route, invoke: (event, signal) => invoke(route.functionName, event, { signal }) };
  });
}

/** Starts the provider with the issuer and audience of the functions' environment variables. */
async function startConfiguredIdentityProvider(
  { functions }: StagePlan,
  dashboardOrigin: string,
  stops: Stops,
): Promise<IdentityProvider | undefined> {
  const configured = functions.find(({ environment }) => environment.OIDC_ISSUER !== undefined);
  if (!configured) return undefined;
  const { OIDC_ISSUER: issuer = '', OIDC_AUDIENCE: audience = '' } = configured.environment;
  const identity = await startIdentityProvider({ issuer, audience, dashboardOrigin });
  stops.push(identity.stop);
  return identity;
}

async function createResources(plan: StagePlan, endpoints: Endpoints): Promise<void> {
  await Promise.all([
    createTables(endpoints.dynamodb, plan.tables),
    createQueues(endpoints.sqs, plan.queues),
    createBuckets(endpoints.s3, plan.buckets),
  ]);
}

function resourceNames(plan: StagePlan): StageResources {
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
  return {
    tables: names(plan.tables),
    buckets: names(plan.buckets),
    queues: names(plan.queues),
    functions: names(plan.functions),
    stateMachines: plan.stateMachines.map(({ arn }) => arn),
  };
}
