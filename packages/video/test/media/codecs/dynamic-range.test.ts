import { expect, it } from 'vitest';
import { fullDynamicRange } from '../../../src/encoding/options.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

const optionsFor = (...codecs: string[]) =>
  fullDynamicRange(aProbe([aVideoStream(), ...codecs.map((codec) => anAudioStream({ codec }))]));

it.each([[['ac3']], [['eac3']], [['aac', 'ac3']]])('%o is decoded without compression', (codecs) => {
  expect(optionsFor(...codecs)).toEqual(['-drc_scale', '0']);
});

it.each([[[]], [['aac', 'dts', 'truehd', 'pcm_s16le']]])('%o has no option that ffmpeg would not use', (codecs) => {
  expect(optionsFor(...codecs)).toEqual([]);
});
