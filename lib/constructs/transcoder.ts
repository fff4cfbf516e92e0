import path from 'node:path';
import { Duration, Size } from 'aws-cdk-lib';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { DockerImageCode, DockerImageFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { commonProps } from '../function-settings.ts';
import type { Settings } from '../settings.ts';
import { FunctionIdentity } from './function-identity.ts';

/** The longest that a Lambda function may run. */
export const transcodeTimeout = Duration.minutes(15);

/** Leaves a third of the function's time for the encoding. */
const downloadSeconds = 10 * 60;

/** Longer than any healthy encoder keeps silent; it reports twice a second. */
const stallSeconds = 60;

export type TranscoderProps = { queue: IQueue; buildDirectory: string; settings: Settings };

/** Takes one job at a time from the queue. An image, since ffmpeg with its libraries is larger than a zip may be. */
export class Transcoder extends Construct {
  readonly lambda: DockerImageFunction;

  constructor(scope: Construct, id: string, props: TranscoderProps) {
    super(scope, id);
    const { settings } = props;
    const identity = new FunctionIdentity(this, 'Identity', { name: 'transcode', settings });
    const common = commonProps(identity, settings);
    this.lambda = new DockerImageFunction(this, 'Function', {
      ...common,
      code: DockerImageCode.fromImageAsset(path.join(props.buildDirectory, 'images', 'transcode'), {
        cmd: ['index.handler'],
        platform: settings.architecture === 'arm64' ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64,
      }),
      environment: {
        ...common.environment,
        // What passes through leaves little behind: with room for more young objects, a download grows it by 64 MB.
        NODE_OPTIONS: '--max-semi-space-size=1',
        FFMPEG_PATH: '/opt/bin/ffmpeg',
        FFPROBE_PATH: '/opt/bin/ffprobe',
        FONTS_PATH: '/opt/share/fonts',
        INPUT_LIMITS: JSON.stringify(settings.inputLimits),
        DOWNLOAD_SECONDS: String(downloadSeconds),
        OUTPUT_RETENTION_DAYS: String(settings.outputRetentionDays),
        STALL_SECONDS: String(stallSeconds),
      },
      memorySize: settings.transcoder.memoryMb,
      // The most there is: the input and the output lie there at the same time.
      ephemeralStorageSize: Size.gibibytes(10),
      timeout: transcodeTimeout,
      reservedConcurrentExecutions: settings.transcoder.reservedConcurrency,
    });
    // One message per invocation, so that a job that fails never takes another with it.
    this.lambda.addEventSource(
      new SqsEventSource(props.queue, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: settings.transcoder.maxConcurrency,
      }),
    );
  }
}
