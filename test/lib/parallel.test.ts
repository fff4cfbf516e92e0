import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { divideCapacity } from '../../lib/settings/capacity.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { resourcesOf } from '../builders/template/template-resources.ts';

const { service } = synthesizedStage({
  settings: {
    transcoder: { memoryMb: 8192 },
    capacity: 20,
    tenancy: 'multi',
    ownerLimits: { maxRunningChunks: 5 },
  },
});

type Lambda = {
  FunctionName: string;
  Code: unknown;
  ImageConfig: { Command: string[] };
  Environment: { Variables: Record<string, unknown> };
};

const images = resourcesOf(service, 'AWS::Lambda::Function').filter(
  ({ PackageType }) => PackageType === 'Image',
) as Lambda[];

function imageCalled(name: string): Lambda {
  const found = images.find(({ FunctionName }) => FunctionName === `media-jobs-test-${name}`);
  if (!found) throw new Error(`There is no image function media-jobs-test-${name}`);
  return found;
}

const transcode = imageCalled('transcode');
const encodeChunk = imageCalled('encode-chunk');
const joinChunks = imageCalled('join-chunks');

describe('the workers', () => {
  it('share one image, in which each starts its own file', () => {
    expect(new Set(images.map(({ Code }) => JSON.stringify(Code))).size).toBe(1);
    expect(images.map(({ FunctionName, ImageConfig }) => [FunctionName, ImageConfig.Command])).toEqual(
      expect.arrayContaining([
        ['media-jobs-test-transcode', ['index.handler']],
        ['media-jobs-test-encode-chunk', ['encode-chunk.handler']],
        ['media-jobs-test-join-chunks', ['join-chunks.handler']],
      ]),
    );
  });

  it('and what they invoke may be in a chain of requests without end, and so may deliveries: one end begins the next', () => {
    const allowed = resourcesOf(service, 'AWS::Lambda::Function').filter(
      ({ RecursiveLoop }) => RecursiveLoop === 'Allow',
    );
    const names = ['deliver-webhook', 'encode-chunk', 'join-chunks', 'open-job', 'transcode'];
    expect(allowed.map(({ FunctionName }) => FunctionName).toSorted()).toEqual(
      names.map((name) => `media-jobs-test-${name}`),
    );
  });

  it('have no setting for loops in a region without loop detection, where AWS rejects it', () => {
    for (const region of ['us-gov-west-1', 'mx-central-1']) {
      const { service: inRegion } = synthesizedStage({ settings: { region } });
      inRegion.resourcePropertiesCountIs('AWS::Lambda::Function', { RecursiveLoop: Match.anyValue() }, 0);
    }
  });

  it('have the time-out, memory and disk of the transcoder', () => {
    for (const worker of [encodeChunk, joinChunks]) {
      expect(worker).toMatchObject({ Timeout: 900, MemorySize: 8192, EphemeralStorage: { Size: 10_240 } });
    }
  });

  it('have the same environment variables for ffmpeg and limits', () => {
    const shared = ['FFMPEG_PATH', 'FFPROBE_PATH', 'VMAF_PATH', 'FONTS_PATH', 'INPUT_LIMITS', 'STALL_TIMEOUT_SECONDS'];
    const of = ({ Environment }: Lambda) => shared.map((name) => Environment.Variables[name]);
    expect(of(transcode)).not.toContain(undefined);
    expect([of(encodeChunk), of(joinChunks)]).toEqual([of(transcode), of(transcode)]);
  });

  it('reserve their maximum concurrency if the capacity leaves a hundred to the API besides first attempts', () => {
    const reservedWith = (capacity: number) =>
      resourcesOf(synthesizedStage({ settings: { capacity } }).service, 'AWS::Lambda::Function')
        .filter(({ PackageType }) => PackageType === 'Image')
        .map(({ FunctionName, ReservedConcurrentExecutions: reserved }) => [FunctionName, reserved]);
    const { workers, chunks, joins } = divideCapacity({ capacity: 1_000 });
    expect(Object.fromEntries(reservedWith(1_000))).toEqual({
      'media-jobs-test-transcode': workers,
      'media-jobs-test-encode-chunk': chunks,
      'media-jobs-test-join-chunks': joins,
    });
    for (const [, reserved] of reservedWith(999)) expect(reserved).toBeUndefined();
  });
});

it.each([
  ['EncodeChunk', 9],
  ['JoinChunks', 2],
])(
  'the queues of chunk tasks deliver to %s at most %i tasks at the same time, one of each message group',
  (id, maxConcurrency) => {
    service.hasResourceProperties('AWS::SQS::Queue', {
      QueueName: Match.stringLikeRegexp(`${id === 'EncodeChunk' ? 'encode-chunk' : 'join-chunks'}[.]fifo$`),
      FifoQueue: true,
      ContentBasedDeduplication: true,
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
    service.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp(`^${id}TasksQueue`), 'Arn'] },
      FunctionName: { Ref: Match.stringLikeRegexp(`^${id}Function`) },
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: maxConcurrency },
    });
  },
);

it('the transcoder has the chunking settings with the chunks of an owner that run at once, and the ARN of parallel-transcode', () => {
  const { CHUNKING_SETTINGS, PARALLEL_STATE_MACHINE_ARN } = transcode.Environment.Variables;
  expect(JSON.parse(String(CHUNKING_SETTINGS))).toEqual({
    targetChunkSeconds: 60,
    chunkCpuSeconds: 150,
    maxParallelChunks: 5,
    rangesFromBytes: 100_000_000,
    maxSinglePassSeconds: 300,
  });
  expect(PARALLEL_STATE_MACHINE_ARN).toEqual({ Ref: expect.stringMatching(/^ParallelMachine/) });
});

describe('the state machine parallel-transcode', () => {
  it('encodes the configured number of chunks at the same time, and times out after a day', () => {
    service.hasResourceProperties('AWS::StepFunctions::StateMachine', {
      StateMachineName: 'media-jobs-test-parallel-transcode',
      DefinitionString: Match.serializedJson(
        Match.objectLike({
          TimeoutSeconds: 24 * 3600,
          States: Match.objectLike({ EncodeChunks: Match.objectLike({ MaxConcurrency: 5 }) }),
        }),
      ),
      DefinitionSubstitutions: {
        EncodeChunkQueue: { Ref: Match.stringLikeRegexp('^EncodeChunkTasksQueue') },
        JoinChunksQueue: { Ref: Match.stringLikeRegexp('^JoinChunksTasksQueue') },
      },
    });
  });

  it('splits the tasks into lists where more of them run at once than a Map allows', () => {
    const statesWith = (capacity: number) => {
      const { service: stack } = synthesizedStage({ settings: { capacity } });
      const [machine] = resourcesOf(stack, 'AWS::StepFunctions::StateMachine').filter(
        ({ StateMachineName }) => StateMachineName === 'media-jobs-test-parallel-transcode',
      );
      return Object.keys(JSON.parse(String(machine?.DefinitionString)).States);
    };
    expect(statesWith(80)).not.toContain('SplitChunks');
    expect(statesWith(100)).toContain('SplitChunks');
  });
});
