// @module-tag chunks
// @module-tag audio
import { packetReader } from '@media-jobs/video/runner';
import { type AudioSource, audioSource, ffmpegPrograms } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassTimes } from '../builders/chunking/expect-single-pass-audio.ts';

// The matrix is audio-chunks.full.test.ts.
it('audio that starts late joins in MP4 by Opus to the times of a single pass', async () => {
  const recipe = { name: 'transcode', preset: 'ultrafast', audioCodec: 'opus' } as const;
  const options = { audioChunks: 3, targetChunkSeconds: 10 };
  await expectSinglePassTimes(await encodeBothWays(await audioSource('lateAudio'), 'mp4', recipe, options), 3);
});

it('an index has the exact duration of audio frames, which rounded timestamps do not have', async () => {
  const { signal } = new AbortController();
  const timingOf = async (kind: AudioSource) =>
    packetReader(ffmpegPrograms).readAudioTiming(
      await audioSource(kind),
      { stream: 1 },
      { signal, timeLimitSeconds: 60 },
    );
  const frameSeconds = 1024 / 48_000;
  const delay = { samples: 1024, rateHz: 48_000 };
  expect(await timingOf('aac')).toEqual({ frameSeconds, totalSeconds: expect.closeTo(26, 1), delay });
  expect(await timingOf('editList')).toMatchObject({ frameSeconds, totalSeconds: expect.closeTo(24.9, 1) });
  for (const kind of ['matroska', 'roundedTimes'] as const) expect(await timingOf(kind)).toBeUndefined();
});
