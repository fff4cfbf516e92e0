import { expect, it } from 'vitest';
import { audioCodecArguments } from '../../../src/media/codecs/audio-codecs.ts';

it('more channels than FLAC has are rejected, and WAV keeps them', () => {
  const encode = (format: 'flac' | 'wav', channels: number) =>
    audioCodecArguments({ channels, bitDepth: 24 }, { format, bitrateKbps: 128 });
  expect(encode('flac', 8)).toContain('flac');
  expect(() => encode('flac', 12)).toThrow('FLAC has 8 channels at most, and the input has 12: choose wav');
  expect(encode('wav', 12)).toContain('pcm_s24le');
});
