import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { WorkerFunction } from './worker-function.ts';

export type TranscoderProps = { queue: IQueue; buildDirectory: string; settings: Settings };

/** Takes one job at a time from the queue. */
export class Transcoder extends WorkerFunction {
  constructor(scope: Construct, id: string, { queue, buildDirectory, settings }: TranscoderProps) {
    const { maxConcurrency, reservedConcurrency } = settings.transcoder;
    const { reservedConcurrency: _, ...chunks } = settings.parallel;
    super(scope, id, {
      name: 'transcode',
      file: 'index',
      buildDirectory,
      settings,
      reservedConcurrency,
      environment: { CHUNKING_SETTINGS: JSON.stringify(chunks) },
    });
    // One message per invocation, so that a job that fails never takes another with it.
    this.lambda.addEventSource(
      new SqsEventSource(queue, { batchSize: 1, reportBatchItemFailures: true, maxConcurrency }),
    );
  }
}
