import { expect, it } from 'vitest';
import { copiedVideoArguments } from '../../../src/media/codecs/copied-codecs.ts';
import { aVideoStream } from '../../builders/media/a-probe.ts';

const steady = { framesPerSecond: 30_000 / 1001, baseFramesPerSecond: 30_000 / 1001, misstatesRate: true } as const;

it.each([
  ['mkv', steady, ['-r:v', '30000/1001']],
  ['webm', { ...steady, framesPerSecond: 17.4321, baseFramesPerSecond: 600 }, ['-r:v', '17.432']],
  ['mp4', steady, []],
  ['mkv', { ...steady, misstatesRate: undefined }, []],
] as const)('a copy in %s states the measured rate in place of a false one', (format, rate, expected) => {
  const copied = copiedVideoArguments(aVideoStream(rate), format);
  const at = copied.indexOf('-r:v');
  expect(at === -1 ? [] : copied.slice(at)).toEqual(expected);
});
