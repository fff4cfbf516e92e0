import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { LargeWorkersSettings } from '../settings/large-workers.ts';
import { processorSlowness } from '../settings/processor-slowness.ts';
import type { Settings } from '../settings/settings.ts';
import { reservedConcurrency } from '../settings/workers.ts';
import { LargeStateMachine } from './state-machines.ts';
import { TaskQueue } from './task-queue.ts';
import { WorkerFunction } from './worker-function.ts';

export type LargeWorkersProps = {
  settings: Settings;
  largeWorkers: LargeWorkersSettings;
  buildDirectory: string;
};

const name = 'transcode-large';

/** The function with the large memory, its queue, and the state machine that runs whole jobs in it. */
export class LargeWorkers extends Construct {
  readonly lambda: LambdaFunction;
  readonly machine: LargeStateMachine;
  readonly queue: IQueue;
  readonly deadLetterQueue: IQueue;

  constructor(scope: Construct, id: string, { settings, largeWorkers, buildDirectory }: LargeWorkersProps) {
    super(scope, id);
    const { lambda } = new WorkerFunction(this, 'Transcode', {
      name,
      file: name,
      buildDirectory,
      settings,
      memoryMb: largeWorkers.memoryMb,
      reservedConcurrency: reservedConcurrency(settings).transcodeLarge,
      environment: { PROCESSOR_SLOWNESS: String(processorSlowness(settings)) },
    });
    this.lambda = lambda;
    const tasks = new TaskQueue(this, 'Tasks', { stage: settings.stage, name });
    tasks.process(lambda, largeWorkers.maxConcurrency);
    this.queue = tasks.queue;
    this.deadLetterQueue = tasks.deadLetterQueue;
    this.machine = new LargeStateMachine(this, 'Machine', { settings, queue: tasks.queue });
  }
}
