import { expect, it } from 'vitest';
import { copiesAudio } from '../../../src/encoding/audio/map-audio.ts';
import type { AudioStream } from '../../../src/media/probe/probe.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { commandLines, plan } from '../../builders/recipes/plan.ts';

/** 2 s of AAC-LC, and the encoder delay. */
const lowRate = { profile: 'LC', packets: 95, bitsPerSecond: 64_000 };

const linesOf = (
  recipe: Parameters<typeof plan>[0],
  differences: Partial<AudioStream>,
  format: 'mp4' | 'mkv' = 'mp4',
) => commandLines(plan(recipe, format, aProbe([aVideoStream(), anAudioStream(differences)]))).join(' ');

it.each<Parameters<typeof plan>[0]>([
  { name: 'compress' },
  { name: 'transcode' },
  { name: 'resize', height: 90 },
  { name: 'rotate', degrees: 90 },
  { name: 'renditions', heights: [144] },
])('%o copies AAC-LC at no more than its rate', (recipe) => {
  expect(linesOf(recipe, lowRate)).toContain('-map 0:1 -c:a copy');
});

it.each<[string, Partial<AudioStream>]>([
  ['HE-AAC', { profile: 'HE-AAC' }],
  ['AAC at a higher rate', { bitsPerSecond: 129_000 }],
  ['AAC of an unknown rate', { bitsPerSecond: undefined }],
  ['surround', { channels: 6 }],
  ['ambisonics', { channels: 4, ambisonics: {} }],
  ['channels without a place', { hasDiscreteChannels: true }],
  ['a high sample rate', { sampleRateHz: 96_000, packets: 189 }],
  ['a gap', { packets: 80 }],
  ['hidden packets', { packets: 120 }],
  ['unknown packets', { packets: undefined }],
  ['a change of its settings', { splicedBy: 'descriptions' }],
  ['another codec', { codec: 'mp3' }],
])('%s is encoded', (_, differences) => {
  expect(linesOf({ name: 'compress' }, { ...lowRate, ...differences })).toContain('-c:a aac');
});

it.each([
  { name: 'speed', factor: 2 },
  { name: 'clip', start: 0.5, end: 1 },
  { name: 'transcode', audioCodec: 'opus' },
] as const)('%o encodes what it changes', (recipe) => {
  expect(linesOf(recipe, lowRate)).not.toContain('-c:a copy');
});

it('a stream and Matroska encode all audio', () => {
  const audio = anAudioStream(lowRate);
  expect(copiesAudio(audio, { format: 'mp4', audioBitrateKbps: 128 })).toBe(true);
  const segmenting = { segmentSeconds: 6, keyframeIntervalSeconds: 2, maxRatesKbps: [800] };
  expect(copiesAudio(audio, { format: 'mp4', audioBitrateKbps: 128, segmenting })).toBe(false);
  expect(linesOf({ name: 'compress' }, lowRate, 'mkv')).toContain('-c:a aac');
});

it.each<[number, Partial<AudioStream>]>([
  [65, { codec: 'mp3', bitsPerSecond: 64_100 }],
  [128, { codec: 'mp3', bitsPerSecond: 320_000 }],
  [128, { codec: 'mp3' }],
  [24, { codec: 'amr_nb', bitsPerSecond: 12_200, channels: 1, sampleRateHz: 8000 }],
  [96, { codec: 'ac3', bitsPerSecond: 96_000, channels: 6 }],
])('no more than %d kbit/s is made of %o', (kbps, differences) => {
  expect(linesOf({ name: 'compress' }, differences)).toContain(`-b:a ${kbps}k`);
});

it('of surround that is kept, the limit is that of all channels', () => {
  const audio = { codec: 'ac3', bitsPerSecond: 192_000, channels: 6 };
  expect(linesOf({ name: 'transcode', channels: 'source' }, audio)).toContain('-b:a 192k');
});
