import path from 'node:path';
import { Duration, Size } from 'aws-cdk-lib';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { DockerImageCode, DockerImageFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { commonFunctionProps } from '../function-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { FunctionIdentity } from './function-identity.ts';

/** The longest that a Lambda function may run. */
export const workerTimeout = Duration.minutes(15);

/** Leaves a third of the function's time for the encoding. */
const downloadSeconds = 10 * 60;

/** Longer than any healthy encoder keeps silent; it reports twice a second. */
const stallSeconds = 60;

export type WorkerFunctionProps = {
  name: string;
  /** The file of the image that exports its `handler`, without `.js`. */
  file: string;
  buildDirectory: string;
  settings: Settings;
  reservedConcurrency: number | undefined;
  /** What this worker alone is told. */
  environment?: Record<string, string>;
};

/**
 * A function that works with ffmpeg. An image, since ffmpeg with its libraries is larger than a zip may be; all workers
 * share one, and each calls a file of its own in it. What it may use is granted separately.
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
      code: DockerImageCode.fromImageAsset(path.join(props.buildDirectory, 'images', 'transcode'), {
        cmd: [`${props.file}.handler`],
        platform: settings.architecture === 'arm64' ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64,
      }),
      environment: { ...common.environment, ...workerEnvironment(settings), ...props.environment },
      memorySize: settings.transcoder.memoryMb,
      // The most there is: the input and the output lie there at the same time.
      ephemeralStorageSize: Size.gibibytes(10),
      timeout: workerTimeout,
      reservedConcurrentExecutions: props.reservedConcurrency,
    });
  }
}

function workerEnvironment(settings: Settings): Record<string, string> {
  return {
    // What passes through leaves little behind: with room for more young objects, a download grows it by 64 MB.
    NODE_OPTIONS: '--max-semi-space-size=1',
    FFMPEG_PATH: '/opt/bin/ffmpeg',
    FFPROBE_PATH: '/opt/bin/ffprobe',
    FONTS_PATH: '/opt/share/fonts',
    INPUT_LIMITS: JSON.stringify(settings.inputLimits),
    DOWNLOAD_TIMEOUT_SECONDS: String(downloadSeconds),
    OUTPUT_RETENTION_DAYS: String(settings.outputRetentionDays),
    STALL_TIMEOUT_SECONDS: String(stallSeconds),
  };
}
