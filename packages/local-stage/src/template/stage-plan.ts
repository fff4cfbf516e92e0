import type * as z from 'zod';
import { functionNameOf } from '../aws-names.ts';
import type { EventPattern } from '../event-pattern.ts';
import type { PermissionsPlan } from '../permissions/iam/policies.ts';
import type { KmsKey } from '../permissions/kms-requests.ts';
import type { Assembly } from './assembly.ts';
import { type EdgePlan, edgePlan } from './edge-plan.ts';
import { type Found, type FoundResource, findResources } from './find-resources.ts';
import { type FunctionCode, findFunctionCode } from './function-code.ts';
import { permissionsPlan } from './permissions-plan.ts';
import { TemplateError } from './read-resource.ts';
import type { Endpoints, ResourceKind } from './resource-kind.ts';
import { bucket } from './resources/bucket.ts';
import { taskDefinition } from './resources/ecs.ts';
import { eventBus, rule } from './resources/events.ts';
import { type Cors, httpApi, httpIntegration, httpRoute, httpStage } from './resources/http-api.ts';
import { key, keyAlias } from './resources/key.ts';
import { defaultInvokeConfig, eventInvokeConfig, eventSourceMapping, lambdaFunction } from './resources/lambda.ts';
import { queue } from './resources/queue.ts';
import { stateMachine } from './resources/state-machine.ts';
import { table } from './resources/table.ts';
import { stackScopes } from './scope.ts';
import { type TaskDefinitionPlan, taskDefinitionPlan } from './task-definition-plan.ts';

type Named<K extends ResourceKind> = z.output<K['properties']> & { name: string };

export type FunctionPlan = {
  name: string;
  arn: string;
  roleArn: string;
  logGroup: string | undefined;
  isTraced: boolean;
  code: FunctionCode;
  environment: Record<string, string>;
  timeoutSeconds: number;
  memoryMb: number;
  /** Maximum size of `/tmp`. */
  storageMb: number;
  reservedConcurrency: number | undefined;
  /** Whether Lambda lets a chain of requests invoke it without end. */
  allowsRecursion: boolean;
  /** Maximum of concurrent invocations on this machine. Further ones wait. Undefined: no maximum. */
  maxConcurrency?: number;
};

export type StateMachinePlan = {
  arn: string;
  name: string;
  roleArn: string;
  definition: string;
  isLogged: boolean;
  isTraced: boolean;
};

/** A route of the HTTP API: its key (`GET /api/v1/jobs/{id}`, `$default`) and its function. */
export type RoutePlan = { key: string; functionName: string; timeoutMs: number };

/** A schedule rule. Its targets are invoked asynchronously. */
export type SchedulePlan = {
  name: string;
  arn: string;
  /** A rate, such as `rate(5 minutes)`. */
  expression: string;
  targets: {
    functionArn: string;
    /** JSON of the event. Undefined: that of a scheduled event. */
    input: string | undefined;
    /** An older event is not retried. */
    maxEventAgeSeconds: number;
    /** Retries of an event on which the function fails. */
    maxRetries: number;
  }[];
};

export type EventRulePlan = { arn: string; busName: string; pattern: EventPattern; queueArns: string[] };

const defaultVisibilityTimeoutSeconds = 30;

/** The resources of an assembly, with every reference resolved to its local name. */
export type StagePlan = {
  tables: Named<typeof table>[];
  queues: Named<typeof queue>[];
  buckets: Named<typeof bucket>[];
  eventBuses: string[];
  keys: KmsKey[];
  functions: FunctionPlan[];
  stateMachines: StateMachinePlan[];
  taskDefinitions: TaskDefinitionPlan[];
  api: { name: string; cors: Cors | undefined; routes: RoutePlan[] };
  queueMappings: {
    queueArn: string;
    functionName: string;
    visibilityTimeoutSeconds: number;
    mapping: z.output<typeof eventSourceMapping.properties>;
  }[];
  schedules: SchedulePlan[];
  eventRules: EventRulePlan[];
  edge: EdgePlan | undefined;
  permissions: PermissionsPlan;
};

/**
 * Reads all stacks into one plan.
 *
 * @throws TemplateError for anything that would behave differently here than on AWS
 */
export function planStage(assembly: Assembly, endpoints: Endpoints): StagePlan {
  const scopes = stackScopes(assembly, endpoints);
  const found = findResources(assembly, scopes);
  const queues = found.all(queue);
  const edge = edgePlan(found);
  return {
    tables: found.all(table).map(({ properties, ref }) => ({ ...properties, name: ref })),
    queues: queues.map(({ properties, attribute }) => ({ ...properties, name: attribute('QueueName') })),
    buckets: found.all(bucket).map(({ properties, ref }) => ({ ...properties, name: ref })),
    eventBuses: found.all(eventBus).map(({ ref }) => ref),
    keys: keyPlans(found),
    functions: found.all(lambdaFunction).map((resource) => {
      const plan = functionPlan(resource, assembly);
      return edge === undefined ? plan : { ...plan, environment: atLocalAddress(plan.environment, edge, endpoints) };
    }),
    stateMachines: found.all(stateMachine).map(({ properties, ref, attribute }) => ({
      arn: ref,
      name: attribute('Name'),
      roleArn: properties.RoleArn,
      definition: substitute(properties.DefinitionString, properties.DefinitionSubstitutions),
      isLogged: properties.LoggingConfiguration !== undefined,
      isTraced: properties.TracingConfiguration?.Enabled ?? false,
    })),
    taskDefinitions: found.all(taskDefinition).map((resource) => taskDefinitionPlan(resource, assembly)),
    api: apiPlan(found),
    queueMappings: found
      .all(eventSourceMapping)
      .filter(({ properties }) => properties.Enabled)
      .map(({ properties }) => ({
        queueArn: properties.EventSourceArn,
        functionName: functionNameOf(properties.FunctionName),
        visibilityTimeoutSeconds:
          queues.find(({ attribute }) => attribute('Arn') === properties.EventSourceArn)?.properties
            .VisibilityTimeout ?? defaultVisibilityTimeoutSeconds,
        mapping: properties,
      })),
    schedules: schedulePlans(found),
    eventRules: eventRulePlans(found),
    edge,
    permissions: permissionsPlan(found),
  };
}

/** Variables with the address of the distribution have that of the API instead, at which it is served here. */
function atLocalAddress(variables: Record<string, string>, { url }: EdgePlan, { api }: Endpoints) {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.replaceAll(url, api)]));
}

function functionPlan(
  { location, properties, ref, attribute }: FoundResource<typeof lambdaFunction.properties>,
  assembly: Assembly,
): FunctionPlan {
  return {
    name: ref,
    arn: attribute('Arn'),
    roleArn: properties.Role,
    logGroup: properties.LoggingConfig?.LogGroup,
    isTraced: properties.TracingConfig?.Mode === 'Active',
    code: findFunctionCode(location, properties, assembly),
    environment: properties.Environment?.Variables ?? {},
    storageMb: properties.EphemeralStorage.Size,
    timeoutSeconds: properties.Timeout,
    memoryMb: properties.MemorySize,
    reservedConcurrency: properties.ReservedConcurrentExecutions,
    allowsRecursion: properties.RecursiveLoop === 'Allow',
  };
}

function schedulePlans(found: Found): SchedulePlan[] {
  const configs = found.all(eventInvokeConfig).map(({ properties }) => properties);
  const configOf = (functionArn: string) =>
    configs.find(({ FunctionName }) => functionNameOf(FunctionName) === functionNameOf(functionArn)) ??
    defaultInvokeConfig;
  return enabledRules(found).flatMap(({ properties, ref, attribute }) => {
    const { ScheduleExpression: expression, Targets } = properties;
    if (expression === undefined) return [];
    const targets = Targets.map(({ Arn: functionArn, Input: input }) => {
      const { MaximumEventAgeInSeconds, MaximumRetryAttempts } = configOf(functionArn);
      return { functionArn, input, maxEventAgeSeconds: MaximumEventAgeInSeconds, maxRetries: MaximumRetryAttempts };
    });
    return [{ name: ref, arn: attribute('Arn'), expression, targets }];
  });
}

function eventRulePlans(found: Found): EventRulePlan[] {
  return enabledRules(found).flatMap(({ location, properties, attribute }) => {
    const { EventPattern: pattern, EventBusName: busName = 'default', Targets } = properties;
    if (pattern === undefined) return [];
    const queueArns = Targets.map(({ Arn }, index) => {
      if (Arn.includes(':sqs:')) return Arn;
      const target = { ...location, property: `Targets.${index}.Arn` };
      throw new TemplateError(target, 'events of a pattern go to queues only here');
    });
    return [{ arn: attribute('Arn'), busName, pattern, queueArns }];
  });
}

function enabledRules(found: Found) {
  return found.all(rule).filter(({ properties }) => properties.State === 'ENABLED');
}

function keyPlans(found: Found): KmsKey[] {
  const aliases = found.all(keyAlias).map(({ properties }) => properties);
  return found.all(key).map(({ ref, attribute }) => ({
    id: ref,
    arn: attribute('Arn'),
    aliases: aliases
      .filter(({ TargetKeyId }) => [ref, attribute('Arn')].includes(TargetKeyId))
      .map(({ AliasName }) => AliasName),
  }));
}

function apiPlan(found: Found): StagePlan['api'] {
  const [api, ...others] = found.all(httpApi);
  if (!api || others.length > 0) {
    throw new Error(
      `The local stage serves exactly one ${httpApi.type}; the assembly has ${api ? 'several' : 'none'}.`,
    );
  }
  if (found.all(httpStage).length === 0)
    throw new Error(`The assembly has no ${httpStage.type}, so the API has no deployed stage.`);
  const integrations = new Map(found.all(httpIntegration).map(({ ref, properties }) => [ref, properties]));
  const routes = found.all(httpRoute).map(({ location, properties }) => {
    const integration = integrations.get(properties.Target.replace('integrations/', ''));
    if (!integration) {
      throw new TemplateError({ ...location, property: 'Target' }, `there is no integration ${properties.Target}`);
    }
    const functionName = functionNameOf(integration.IntegrationUri);
    return { key: properties.RouteKey, functionName, timeoutMs: integration.TimeoutInMillis };
  });
  return { name: api.ref, cors: api.properties.CorsConfiguration, routes };
}

function substitute(definition: string, substitutions: Record<string, string>): string {
  return definition.replaceAll(/\$\{([A-Za-z0-9_]+)\}/g, (whole, name: string) => substitutions[name] ?? whole);
}
