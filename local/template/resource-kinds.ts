import type { ResourceKind } from './resource-kind.ts';
import { bucket } from './resources/bucket.ts';
import { eventSourceMapping } from './resources/event-source-mapping.ts';
import { eventBus, scheduleRule } from './resources/events.ts';
import { lambdaFunction } from './resources/function.ts';
import { httpApi, httpIntegration, httpRoute, httpStage } from './resources/http-api.ts';
import { queue } from './resources/queue.ts';
import { stateMachine } from './resources/state-machine.ts';
import { table } from './resources/table.ts';

/** Every resource type that runs here, by its CloudFormation name. */
export const resourceKinds: ReadonlyMap<string, ResourceKind> = new Map(
  [
    bucket,
    eventBus,
    eventSourceMapping,
    httpApi,
    httpIntegration,
    httpRoute,
    httpStage,
    lambdaFunction,
    queue,
    scheduleRule,
    stateMachine,
    table,
  ].map((kind): [string, ResourceKind] => [kind.type, kind]),
);
