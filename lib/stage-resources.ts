import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Preset } from '../core/presets/preset.ts';
import type { FargateStateMachine, LoopStateMachine, ParallelStateMachine } from './constructs/state-machines.ts';
import { statefulResourceNames } from './names.ts';
import type { Settings } from './settings/settings.ts';

/** A resource of the stateful stack, referenced by name. */
type NamedResource = { name: string; arn: string };

/** The resources that functions of a stage are granted access to. */
export type StageResources = {
  settings: Settings;
  /** Those of the stage's files. */
  presets: readonly Preset[];
  table: NamedResource;
  media: NamedResource;
  queue: IQueue;
  deliveryQueue: IQueue;
  encodeChunkQueue: IQueue;
  deliveryStateMachine: Pick<LoopStateMachine, 'stateMachineArn'>;
  batchStateMachine: Pick<LoopStateMachine, 'stateMachineArn'>;
  eventBus: IEventBus;
  parallelStateMachine: Pick<ParallelStateMachine, 'stateMachine' | 'executionsArn'>;
  /** Undefined if the stage has no Fargate tasks. */
  fargateStateMachine?: Pick<FargateStateMachine, 'stateMachine' | 'executionsArn'> | undefined;
  /** Gives workers the credentials of one job. */
  openJob: { functionName: string; functionArn: string };
  poolStateMachine?: Pick<FargateStateMachine, 'stateMachine'> | undefined;
  /** The store of the edge. Undefined if the stage has no CloudFront distribution. */
  edgeStoreArn?: string | undefined;
  /** Base URL of the API for clients, without a trailing slash. */
  publicUrl: string;
};

/** Table and bucket of the stage by their fixed names; a restored table by the name in the settings. */
export function statefulResources(
  scope: Construct,
  { stage, recovery }: Settings,
): { table: NamedResource; media: NamedResource } {
  const stack = Stack.of(scope);
  const names = statefulResourceNames({ stage, account: stack.account, region: stack.region });
  const table = recovery.table ?? names.table;
  return {
    table: { name: table, arn: stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName: table }) },
    media: {
      name: names.mediaBucket,
      arn: stack.formatArn({
        service: 's3',
        region: '',
        account: '',
        resource: names.mediaBucket,
        arnFormat: ArnFormat.NO_RESOURCE_NAME,
      }),
    },
  };
}
