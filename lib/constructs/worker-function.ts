import { inputLimitsSchema, maxDownloadBytes } from '@media-jobs/video/probe';
import { Duration, Size } from 'aws-cdk-lib';
import { DockerImageFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { processorSlowness } from '../priced-workers.ts';
import { divideCapacity, isReserved, mappingScale } from '../settings/capacity.ts';
import { chunkingOf } from '../settings/owner-limits.ts';
import type { Settings } from '../settings/settings.ts';
import { workerTimeoutSeconds } from '../settings/workers.ts';
import { commonFunctionProps, FunctionIdentity, inChains } from './function-identity.ts';
import { functionImage } from './worker-image.ts';

export const workerTimeout = Duration.seconds(workerTimeoutSeconds);

/** Leaves a third of the function's time for encoding. */
const downloadTimeoutSeconds = 10 * 60;

/** ffmpeg reports progress twice a second. */
const stallTimeoutSeconds = 60;

export type WorkerFunctionProps = {
  name: string;
  /** The image's file that exports `handler`, without `.js`. */
  file: string;
  buildDirectory: string;
  settings: Settings;
  /** Invocations at the same time, by the queue of the function. */
  maxConcurrency: number;
  /** Default: that of the transcoder. */
  memoryMb?: number;
  /** Environment variables of this worker only. */
  environment?: Record<string, string>;
};

/**
 * A function with ffmpeg. A container image, since ffmpeg with its libraries exceeds the size limit of a zip. All
 * workers share the image; each starts its own file. Grants are separate.
 */
export class WorkerFunction extends Construct {
  readonly lambda: DockerImageFunction;

  constructor(scope: Construct, id: string, props: WorkerFunctionProps) {
    super(scope, id);
    const { settings } = props;
    const identity = new FunctionIdentity(this, 'Identity', props);
    const common = commonFunctionProps(identity, settings);
    this.lambda = new DockerImageFunction(this, 'Function', {
      ...common,
      code: functionImage(this, props, `${props.file}.handler`),
      environment: { ...common.environment, ...workerEnvironment(settings), ...props.environment },
      memorySize: props.memoryMb ?? settings.transcoder.memoryMb,
      // The maximum: it holds input and output at the same time.
      ephemeralStorageSize: Size.gibibytes(10),
      timeout: workerTimeout,
      ...(isReserved(settings) && { reservedConcurrentExecutions: props.maxConcurrency }),
      ...inChains(settings),
    });
  }
}

/** The environment of every process that runs ffmpeg. */
export function workerEnvironment(settings: Settings): Record<string, string> {
  return {
    // Streams allocate short-lived buffers: with a larger young generation a download grows the heap by 64 MB.
    NODE_OPTIONS: '--max-semi-space-size=1',
    FFMPEG_PATH: '/opt/bin/ffmpeg',
    FFPROBE_PATH: '/opt/bin/ffprobe',
    VMAF_PATH: '/opt/bin/vmaf',
    FONTS_PATH: '/opt/share/fonts',
    LAUNCHER_DIRECTORY: '/opt/launcher',
    INPUT_LIMITS: JSON.stringify(inputLimitsSchema.parse(settings.inputLimits)),
    DOWNLOAD_TIMEOUT_SECONDS: String(downloadTimeoutSeconds),
    MAX_DOWNLOAD_BYTES: String(maxDownloadBytes),
    OUTPUT_RETENTION_DAYS: String(settings.outputRetentionDays),
    STALL_TIMEOUT_SECONDS: String(stallTimeoutSeconds),
  };
}

export type TranscoderProps = { queue: IQueue; buildDirectory: string; settings: Settings };

/** Processes one job at a time from the queue. */
export class Transcoder extends WorkerFunction {
  constructor(scope: Construct, id: string, { queue, buildDirectory, settings }: TranscoderProps) {
    const { workers } = divideCapacity(settings);
    super(scope, id, {
      name: 'transcode',
      file: 'index',
      buildDirectory,
      settings,
      maxConcurrency: workers,
      environment: {
        CHUNKING_SETTINGS: JSON.stringify(chunkingOf(settings)),
        PROCESSOR_SLOWNESS: String(processorSlowness(settings)),
      },
    });
    // One message per invocation: a failing job must not affect another.
    this.lambda.addEventSource(
      new SqsEventSource(queue, { batchSize: 1, reportBatchItemFailures: true, ...mappingScale(workers) }),
    );
  }
}
