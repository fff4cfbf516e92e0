import { expect, it } from 'vitest';
import { type AudioToCut, hasWholeFrames, wholeAudioReason } from '../../../src/chunking/plan/cut-audio.ts';
import { filter } from '../../../src/media/filters/filter.ts';
import { anAudioStream } from '../../builders/media/a-probe.ts';
import { aVideoEncoding } from '../../builders/recipes/a-video-encoding.ts';

const timing = { frameSeconds: 1024 / 48_000, totalSeconds: 30 };
const stream = anAudioStream();

function reasonFor(differences: Partial<AudioToCut>): string | undefined {
  const tracks = [{ stream, timing }];
  return wholeAudioReason({ encoding: aVideoEncoding(), layout: { format: 'mp4' }, tracks, ...differences });
}

it('audio may be cut if its packets and those of the source are known', () => expect(reasonFor({})).toBeUndefined());

it.each<[string, Partial<AudioToCut>, RegExp]>([
  [
    'a filter with a state',
    { encoding: aVideoEncoding({ audioFilters: [filter('atempo', '1.5')] }) },
    /depend on all that came before/,
  ],
  ['a time range', { encoding: aVideoEncoding({ range: { start: 1, end: 20 } }) }, /time range/],
  [
    'a sample rate that the encoder changes',
    { tracks: [{ stream: anAudioStream({ sampleRateHz: 11_025 }), timing }] },
    /packets of its encoder/,
  ],
  ['a source without an index', { tracks: [{ stream, timing: undefined }] }, /no index of the source/],
])('audio is one task with %s', (_, differences, reason) => expect(reasonFor(differences)).toMatch(reason));

it('frames of the source have the duration of their samples', () => {
  const frames = (codec: string, frameSeconds: number) =>
    hasWholeFrames({ stream: anAudioStream({ codec }), timing: { ...timing, frameSeconds } });
  expect(frames('aac', 1024 / 48_000)).toBe(true);
  expect(frames('aac', 0.021)).toBe(false);
  expect(frames('pcm_s16le', 1 / 48_000)).toBe(true);
  expect(frames('vorbis', 1024 / 48_000)).toBe(false);
});
