import { expect, it } from 'vitest';
import { anAudioStream, anImageProbe, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { plan } from '../../builders/recipes/plan.ts';

const audioOnly = aProbe([anAudioStream()]);
const videoOnly = aProbe([aVideoStream()]);
const thin = aProbe([aVideoStream({ width: 16, height: 8000 })]);
const longAudio = aProbe([aVideoStream(), anAudioStream({ durationSeconds: 4 })], { durationSeconds: 4 });
const video = aProbe([aVideoStream({ durationSeconds: 7200 })], { durationSeconds: 7200 });

it.each([
  [{ name: 'compress' }, 'mp4', audioOnly, 'needs a video stream; the input has none'],
  [{ name: 'transcode' }, 'mp4', anImageProbe(), 'needs a video; the input is a still image'],
  [{ name: 'resize', width: 640 }, 'mp4', audioOnly, 'needs a video stream'],
  [{ name: 'resize', width: 640 }, 'mp4', thin, 'The output would be 640x320000 pixels; the limit is 8192x8192'],
  [{ name: 'clip', start: 2.5 }, 'mp4', aProbe(), 'The clip starts at 2.5 s; the input lasts 2.000 s'],
  [{ name: 'clip', end: 2.5 }, 'mp4', aProbe(), 'The clip ends at 2.5 s; the input lasts 2.000 s'],
  [
    { name: 'clip', start: 2.5 },
    'mp4',
    longAudio,
    'The clip starts at 2.5 s, and the video stream ends at 2.000 s; the input lasts 4.000 s',
  ],
  [{ name: 'thumbnail', at: 2.5 }, 'jpg', aProbe(), 'requested at 2.5 s, but the video lasts 2.000 s'],
  [{ name: 'thumbnail' }, 'jpg', audioOnly, 'needs a video stream'],
  [{ name: 'thumbnails', every: 60 }, 'jpg', video, 'makes 120 images; the limit is 100. Use 72 s or more'],
  [{ name: 'extract-audio' }, 'mp3', videoOnly, 'needs an audio stream; the input has none'],
] as const)('%o is rejected before encoding if it does not fit the input (%#)', (recipe, format, probe, message) => {
  expect(() => plan(recipe, format, probe)).toThrow(
    expect.objectContaining({ code: 'INPUT_UNSUPPORTED', message: expect.stringContaining(message), retryable: false }),
  );
});

it('clip accepts a rounded duration as its end', () => {
  const probe = aProbe([aVideoStream({ durationSeconds: 1.98 })], { durationSeconds: 1.98 });
  const { outputs } = plan({ name: 'clip', start: 1, end: 2 }, 'mp4', probe);
  expect(outputs[0]?.expectation?.durationSeconds).toBeCloseTo(0.98, 6);
});
