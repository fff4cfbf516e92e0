import { expect, it } from 'vitest';
import { packetEndParser } from '../../../src/runner/measure.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

it('finds when each stream ends, from the start of the file', () => {
  const parser = packetEndParser(aProbe([aVideoStream(), anAudioStream({ index: 1 }), anAudioStream({ index: 2 })]));
  const lines = [
    'packet,1,-0.023000,-0.023000,0.023000',
    'packet,0,0.080000,0.000000,0.040000',
    'packet,0,0.040000,0.040000,0.040000',
    'packet,1,N/A,1.500000,N/A',
    'format,-0.023000',
  ];
  for (const line of lines) parser.add(line);
  const ends = [...parser.finish().ends].map(([index, seconds]) => [index, Number(seconds.toFixed(3))]);
  expect(ends).toEqual([
    [0, 0.143],
    [1, 1.523],
    [2, 0],
  ]);
});

it('a last frame without a duration lasts as long as the one before', () => {
  const parser = packetEndParser(aProbe([aVideoStream()]));
  for (const time of [0, 0.033, 0.067, 0.1]) parser.add(`packet,0,${time},${time},0.001`);
  expect(parser.finish().ends.get(0)).toBeCloseTo(0.133, 3);
});

it.each<[string, number[], number | undefined]>([
  ['starts again', [5, 6, 7, 5, 6], 3],
  ['starts again a little later', [5, 6, 7, 5.5], 3],
  ['steps back, but not to its start', [5, 6, 7, 99, 8, 9], undefined],
  ['has the frames of an open GOP first', [5, 4.9, 5.1], undefined],
])('tells a recording from several when its clock %s', (_, times, seconds) => {
  const parser = packetEndParser(aProbe([aVideoStream()]));
  for (const time of times) parser.add(`packet,0,${time},${time},1`);
  parser.add('format,5');
  expect(parser.finish().restartSeconds).toBe(seconds);
});
