import { expect, it } from 'vitest';
import { labelFromCode, labelFromName } from '../../src/format/labels.ts';
import { measuredTexts } from '../../src/format/measured-texts.ts';

it('a code becomes a label of words', () => {
  expect(labelFromCode('INPUT_NOT_MEDIA')).toBe('Input not media');
  expect(labelFromCode('extract-audio')).toBe('Extract audio');
  expect(labelFromCode('hdr-to-sdr, animated-webp')).toBe('HDR to SDR, animated WebP');
});

it('a camel-case name becomes a label with its acronyms in capitals', () => {
  expect(labelFromName('imageUrl')).toBe('Image URL');
  expect(labelFromName('targetVmaf')).toBe('Target VMAF');
});

it('loudness is shown before and after with its unit, and another measurement by its name', () => {
  const measured = { inputLufs: -23.127, outputLufs: -16, inputTruePeak: -3, vmafP5: 91.2, 'loud.startSeconds': 1.5 };
  expect(measuredTexts(measured)).toEqual([
    ['Loudness', '-23.13 LUFS before, -16 LUFS after'],
    ['True peak input', '-3 dBTP'],
    ['VMAF p5', '91.2'],
    ['Loud.start seconds', '1.5 s'],
  ]);
});
