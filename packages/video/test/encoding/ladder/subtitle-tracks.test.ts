import { expect, it } from 'vitest';
import { planSubtitles } from '../../../src/encoding/ladder/subtitle-tracks.ts';
import { aProbe, aSubtitleStream } from '../../builders/media/a-probe.ts';

it('subtitle tracks with more text together than a worker reads in time are rejected with the limit', () => {
  const streams = [1, 2, 3].map((index) => aSubtitleStream({ index, codec: 'ass' }));
  const probe = aProbe(streams);
  const input = { probe, inputPath: 'in.mkv', inputs: [], assets: {}, outputDirectory: '.' } as never;
  const { outputs } = planSubtitles(input, {
    files: [],
    options: { segmentSeconds: 6, encryption: undefined },
    durationSeconds: 60,
  });
  const results = (text: string) => streams.flatMap(() => [{ log: '' }, { text }]);
  expect(outputs(results('WEBVTT\n')).map(({ name }) => name)).toContain('subtitles-3');
  expect(() => outputs(results('-'.repeat(11_000_000)))).toThrow(
    'The subtitle tracks have 33000000 characters together; the limit is 32000000',
  );
});
