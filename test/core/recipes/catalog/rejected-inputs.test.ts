import { expect, it } from 'vitest';
import { anAudioStream, anImageProbe, aProbe, aVideoStream } from '../../../builders/media/a-probe.ts';
import { plan } from '../../../builders/recipes/plan.ts';

const sound = aProbe([anAudioStream()]);
const silent = aProbe([aVideoStream()]);
const thin = aProbe([aVideoStream({ width: 16, height: 8000 })]);
const film = aProbe([aVideoStream({ durationSeconds: 7200 })], { durationSeconds: 7200 });

it.each([
  [{ name: 'compress' }, 'mp4', sound, 'needs a picture, and the input has no video stream'],
  [{ name: 'transcode' }, 'mp4', anImageProbe(), 'needs a video, and the input is a still image'],
  [{ name: 'resize', width: 640 }, 'mp4', sound, 'needs a picture'],
  [
    { name: 'resize', width: 640 },
    'mp4',
    thin,
    'The output would be 640x320000 pixels; the limit is 8192x8192',
  ],
  [{ name: 'clip', start: 2.5 }, 'mp4', aProbe(), 'The clip begins at 2.5 s, and the input lasts 2.000 s'],
  [{ name: 'clip', end: 2.5 }, 'mp4', aProbe(), 'The clip ends at 2.5 s, and the input lasts 2.000 s'],
  [{ name: 'thumbnail', at: 2.5 }, 'jpg', aProbe(), 'asked for at 2.5 s, and the video lasts 2.000 s'],
  [{ name: 'thumbnail' }, 'jpg', sound, 'needs a picture'],
  [{ name: 'thumbnails', every: 60 }, 'jpg', film, 'makes 120, and the limit is 100; use 72 s or more'],
  [{ name: 'extract-audio' }, 'mp3', silent, 'needs sound, and the input has no audio stream'],
] as const)('%o is refused before encoding where it makes no sense (%#)', (recipe, format, probe, words) => {
  expect(() => plan(recipe, format, probe)).toThrow(
    expect.objectContaining({
      code: 'INPUT_UNSUPPORTED',
      message: expect.stringContaining(words),
      retryable: false,
    }),
  );
});

it('takes a rounded length for the end of the clip', () => {
  const probe = aProbe([aVideoStream({ durationSeconds: 1.98 })], { durationSeconds: 1.98 });
  const { outputs } = plan({ name: 'clip', start: 1, end: 2 }, 'mp4', probe);
  expect(outputs[0]?.expectation?.durationSeconds).toBeCloseTo(0.98, 6);
});
