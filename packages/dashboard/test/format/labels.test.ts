import { expect, it } from 'vitest';
import { labelFromCode, labelFromName } from '../../src/format/labels.ts';

it('a code becomes a label of words', () => {
  expect(labelFromCode('INPUT_NOT_MEDIA')).toBe('Input not media');
  expect(labelFromCode('extract-audio')).toBe('Extract audio');
  expect(labelFromCode('hdr-to-sdr, animated-webp')).toBe('HDR to SDR, animated WebP');
});

it('a camel-case name becomes a label with its acronyms in capitals', () => {
  expect(labelFromName('imageUrl')).toBe('Image URL');
  expect(labelFromName('targetVmaf')).toBe('Target VMAF');
});
