import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { parallelTranscodeDefinition } from '../state-machines/parallel-transcode.ts';
import { loggedMachine } from './logged-machine.ts';

/** Time to wait behind many others. All attempts of it end before the bucket removes what was encoded. */
const timeout = Duration.hours(24);

const name = 'parallel-transcode';

export type ParallelMachineProps = { settings: Settings; encodeChunk: IFunction; joinChunks: IFunction };

/** Encodes the parts of a job side by side and joins them. */
export class ParallelMachine extends Construct {
  readonly stateMachine: StateMachine;
  /** Any of its executions, as it stands in a policy. */
  readonly executionsArn: string;

  constructor(scope: Construct, id: string, { settings, encodeChunk, joinChunks }: ParallelMachineProps) {
    super(scope, id);
    this.stateMachine = loggedMachine(this, {
      settings,
      name,
      definition: parallelTranscodeDefinition({
        maxParallelChunks: settings.parallel.maxParallelChunks,
        timeoutSeconds: timeout.toSeconds(),
      }),
      functions: { EncodeChunk: encodeChunk, JoinChunks: joinChunks },
    });
    this.executionsArn = Stack.of(this).formatArn({
      service: 'states',
      resource: 'execution',
      resourceName: `${settings.stage}-${name}:*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }
}
