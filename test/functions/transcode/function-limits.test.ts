import { spread, wallSeconds } from '@media-jobs/video/cost-model';
import { argumentTexts } from '@media-jobs/video/ffmpeg';
import type { StreamEncryption } from '@media-jobs/video/media';
import { aFrameIndex, anAudioStream, aProbe, aSubtitleStream, aVideoStream } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { failureOutcome } from '../../../core/jobs/outcome.ts';
import { type PlannedChoice, planned } from '../../builders/chunking/planned-work.ts';

/** A function of 3,008 MB on arm64. */
const processors = { count: 1.7, slowness: 1.3 };

const uhd = { width: 3840, height: 2160 };

type Video = Parameters<typeof aVideoStream>[0] & { durationSeconds: number; megabytes: number };

/** A source of the declared length, with a keyframe each second. */
function source({ megabytes, ...video }: Video): Pick<PlannedChoice, 'probe' | 'index' | 'processors'> {
  const { durationSeconds } = video;
  const streams = [aVideoStream(video), anAudioStream({ durationSeconds })];
  return {
    processors,
    probe: aProbe(streams, { durationSeconds, sizeBytes: megabytes * 1e6 }),
    index: aFrameIndex({ frames: Math.round(25 * durationSeconds), keyframeEvery: 25 }),
  };
}

const hdrVideo = source({
  durationSeconds: 1800,
  ...uhd,
  megabytes: 3500,
  codec: 'hevc',
  bitDepth: 10,
  hdrTransfer: 'pq',
  framesPerSecond: 25,
});

const audioSeconds = { durationSeconds: 6 * 3600 };
const sixHoursOfAudio = { processors, probe: aProbe([anAudioStream(audioSeconds)], audioSeconds) };

const longVideo = source({ durationSeconds: 2700, width: 1280, height: 720, megabytes: 900 });

/** Subtitles that are burned into the video: cues of these seconds. */
function burning(cues: readonly [start: string, end: string][]): PlannedChoice {
  const path = '/tmp/a/asset-1-subtitles';
  return {
    ...longVideo,
    recipe: { name: 'burn-subtitles', subtitles: 'https://media.example/a.srt' },
    assets: { subtitles: { path, probe: { ...aProbe([aSubtitleStream()]), container: 'srt' } } },
    run: async ({ outputArguments }) => ({ arguments: argumentTexts(outputArguments), log: '' }),
    text: cues.map(([start, end]) => `1\n00:${start},000 --> 00:${end},000\nA cue\n`).join('\n'),
  };
}

/** All sizes of a film of this length. */
function streamInThreeCodecs(durationSeconds: number, encryption?: StreamEncryption): PlannedChoice {
  return {
    ...source({ durationSeconds, width: 1920, height: 1080, megabytes: durationSeconds }),
    recipe: { name: 'hls', codecs: ['h264', 'h265', 'av1'], ...(encryption && { encryption }) },
    output: { format: 'm3u8' },
  };
}

it.each<[string, PlannedChoice]>([
  ['half an hour of 4K HDR to 480p', { ...hdrVideo, recipe: { name: 'compress', maxHeight: 480 } }],
  ['119 s of 2160p60', source({ durationSeconds: 119, ...uhd, framesPerSecond: 60, megabytes: 600, codec: 'h264' })],
  [
    'ten minutes of 8K',
    source({ durationSeconds: 600, width: 7680, height: 4320, megabytes: 4000, codec: 'hevc', bitDepth: 10 }),
  ],
  [
    '120 frames per second',
    source({ durationSeconds: 900, width: 1920, height: 1080, framesPerSecond: 120, megabytes: 1500 }),
  ],
  [
    '45 minutes with burnt subtitles',
    burning([
      ['00:01', '00:05'],
      ['20:00', '24:00'],
    ]),
  ],
  ['a clip of half an hour of 4K', { ...hdrVideo, recipe: { name: 'clip', start: 10, end: 1790 } }],
  ['45 minutes at another frame rate', { ...longVideo, recipe: { name: 'transcode', fps: 24 } }],
  ['45 minutes at half the speed', { ...longVideo, recipe: { name: 'speed', factor: 0.5 } }],
  ['half an hour of a stream in three codecs', streamInThreeCodecs(1800)],
  ['two hours of a stream in three codecs, which S3 assembles', streamInThreeCodecs(7200)],
])('a heavy video is split into chunks that a function has time for %s', async (_, choice) => {
  const { result, cost } = await planned(choice);
  const chunks = result?.work.chunks ?? [];
  expect(chunks.length).toBeGreaterThan(1);
  const maxCostShare = Math.max(...chunks.map(({ costShare }) => costShare));
  expect(wallSeconds(cost.codecCpuSeconds, processors) * spread * maxCostShare).toBeLessThan(840);
});

it.each<[string, PlannedChoice]>([
  [
    '45 minutes with burnt subtitles that overlap from start to end',
    burning([
      ['00:01', '44:00'],
      ['02:00', '44:59'],
    ]),
  ],
  [
    'ten hours of video, whose audio is one task',
    {
      ...source({ durationSeconds: 36_000, width: 426, height: 240, megabytes: 1000 }),
      recipe: { name: 'compress', preset: 'ultrafast' },
    },
  ],
  ['six hours of audio', { ...sixHoursOfAudio, recipe: { name: 'extract-audio' }, output: { format: 'm4a' } }],
  ['ten minutes of 4K at a bit rate', { ...hdrVideo, recipe: { name: 'transcode', bitrate: 8000 } }],
])('a job that needs one process for too long is rejected while planning %s', async (_, choice) => {
  const error: unknown = await planned(choice).catch((cause: unknown) => cause);
  const outcome = failureOutcome(error, 'probing');
  expect(outcome).toMatchObject({ state: 'rejected', error: { code: 'INPUT_TOO_LONG' } });
  expect(outcome.error.message).toMatch(
    /^This work takes about \d+\.\d minutes, up to \d+\.\d, and a worker has 13\.3 left\. .* operator can raise transcoder\.memoryMb, or set fargate for tasks that may take hours$/,
  );
});

it('an encrypted stream that the join would have no disk for is rejected while planning', async () => {
  const key = '00112233445566778899aabbccddeeff';
  const encryption = { scheme: 'aes-128', key, keyUri: 'https://keys.example/film' } as const;
  const choice = streamInThreeCodecs(7200, encryption);
  const error: unknown = await planned(choice).catch((cause: unknown) => cause);
  expect(failureOutcome(error, 'probing')).toMatchObject({
    state: 'rejected',
    error: {
      code: 'INPUT_TOO_LONG',
      message: expect.stringMatching(
        /its outputs would have about \d+ GB, and the disk on which chunks are joined has 10 GB\. Choose a smaller/,
      ),
    },
  });
});

it('a copy that does not fit on the disk beside its input is rejected while planning', async () => {
  const uhdVideo = source({ durationSeconds: 7200, ...uhd, megabytes: 6000 });
  const choice = { ...uhdVideo, recipe: { name: 'remux' as const }, inputSizeBytes: 6e9 };
  const error: unknown = await planned(choice).catch((cause: unknown) => cause);
  expect(failureOutcome(error, 'probing')).toMatchObject({
    state: 'rejected',
    error: { code: 'INPUT_TOO_LARGE', message: expect.stringContaining('copied') },
  });
});

it('a short job is not rejected for its kind', async () => {
  const short = source({ durationSeconds: 60, width: 1280, height: 720, megabytes: 20 });
  expect((await planned({ ...short, recipe: { name: 'transcode', fps: 24 } })).result).toBeUndefined();
});
