import { expect, it } from 'vitest';
import { planCost } from '../../../../src/cost-model/plan-cost.ts';
import { ladderCodecs } from '../../../../src/encoding/ladder/ladder.ts';
import {
  assertSetReferences,
  dashFile,
  hlsFile,
  maxSubtitles,
  subtitleFile,
  subtitlePlaylistFile,
} from '../../../../src/media/playlists/set-files.ts';
import { maxStreams } from '../../../../src/media/probe/input-limits.ts';
import { planRecipe, recipeRequestSchema } from '../../../../src/recipes/registry.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../../builders/media/a-probe.ts';
import { outputLine } from '../../../builders/recipes/plan.ts';

function planStream({ container }: { container: string }) {
  const probe = aProbe(undefined, { container });
  const request = recipeRequestSchema.parse({ name: 'hls', codecs: ['h264', 'h265', 'av1'] });
  const paths = { inputPath: '/in', outputDirectory: '/out' };
  const planned = planRecipe(request, { probe, format: 'm3u8', ...paths });
  const plan = 'measure' in planned ? planned.expected() : planned;
  if ('measure' in plan) throw new TypeError('The stream has more than one measurement');
  return { plan, probe };
}

it('the commands of all codecs read the audio of a broadcast, whose start sets their time 0', () => {
  const { plan, probe } = planStream({ container: 'mpegts' });
  const [first, ...others] = plan.commands.map(outputLine);
  expect(first).toMatch(/-map 0:1 .*-c:a aac .* \/out\/stream_\d\.mp4$/);
  expect(others).toHaveLength(2);
  for (const command of others) expect(command).toMatch(/\.mp4 -map 0:1 -c copy -f null -$/);
  // Nothing of it is written.
  expect(planCost(plan, [{ path: '/in', probe }]).copiedBytes).toBe(0);
});

it('the commands of further codecs do not read the audio of an MP4, whose tracks have one time 0', () => {
  const { plan } = planStream({ container: 'mov,mp4,m4a,3gp,3g2,mj2' });
  for (const command of plan.commands.slice(1).map(outputLine)) expect(command).not.toContain('-map 0:1');
});

it('an encoding in several codecs has the same sizes in each', () => {
  const { encoding } = planStream({ container: 'mpegts' }).plan;
  if (encoding === undefined || !('sizes' in encoding)) throw new TypeError('It is no ladder');
  expect(encoding.otherCodecs?.map(({ codec }) => codec)).toEqual(['h265', 'av1']);
  for (const other of encoding.otherCodecs ?? []) expect(other.sizes).toEqual(encoding.sizes);
});

it('the stream of an input with the most tracks has no more files than the playlist route signs', () => {
  const audio = Array.from({ length: maxStreams - 1 }, (_, track) => anAudioStream({ index: track + 1 }));
  const probe = aProbe([aVideoStream({ width: 3840, height: 2160 }), ...audio]);
  const codecs = [...ladderCodecs];
  const request = recipeRequestSchema.parse({ name: 'hls', codecs, maxHeight: 2160 });
  const paths = { inputPath: '/in', outputDirectory: '/out' };
  const { outputs } = planRecipe(request, { probe, format: 'm3u8', ...paths });
  const media = outputs.flatMap(({ track, filename }) => (track ? [filename] : []));
  const texts = Array.from({ length: maxSubtitles }, (_, number) => subtitleFile(number));
  expect(media).toHaveLength(7 * codecs.length + audio.length);
  expect(() => assertSetReferences(dashFile, [...media, ...texts])).not.toThrow();
  const playlists = outputs.flatMap(({ playlist, filename }) => (playlist ? [filename] : []));
  const named = playlists.filter((name) => name !== hlsFile && name !== dashFile);
  const ofTexts = Array.from({ length: maxSubtitles }, (_, number) => subtitlePlaylistFile(number));
  // The audio-only variant names a playlist again.
  expect(() => assertSetReferences(hlsFile, [...named, ...ofTexts, ...named.slice(-1)])).not.toThrow();
});

it('a stream with more keyframes than a playlist names is rejected before it is encoded', () => {
  const lasting = (durationSeconds: number) => aProbe([aVideoStream({ durationSeconds })], { durationSeconds });
  const request = recipeRequestSchema.parse({ name: 'hls', segmentSeconds: 3 });
  const paths = { inputPath: '/in', outputDirectory: '/out' };
  const planOf = (seconds: number) => planRecipe(request, { probe: lasting(seconds), format: 'm3u8', ...paths });
  expect(planOf(30_000)).toHaveProperty('outputs');
  expect(() => planOf(30_001)).toThrow('a stream with a keyframe every 1.5 s lasts at most 30000 s');
});

it.each([
  [
    [2, 1],
    [2, 2],
    ['', ',pan=stereo|c0=c0|c1=c0'],
  ],
  [
    [1, 6],
    [2, 2],
    [',pan=stereo|c0=c0|c1=c0', ',aformat=channel_layouts=stereo,alimiter='],
  ],
  [
    [1, 1],
    [1, 1],
    ['', ''],
  ],
])('audio tracks of %j channels have %j in a stream', (found, channels, filters) => {
  const tracks = found.map((count, track) => anAudioStream({ index: track + 1, channels: count }));
  const request = recipeRequestSchema.parse({ name: 'hls' });
  const paths = { inputPath: '/in', outputDirectory: '/out', format: 'm3u8' as const };
  const plan = planRecipe(request, { ...paths, probe: aProbe([aVideoStream(), ...tracks]) });
  if ('measure' in plan) throw new TypeError('Expected a plan without a measurement');
  const audio = plan.outputs.flatMap(({ track }) => (track?.kind === 'audio' ? [track.channels] : []));
  expect(audio).toEqual(channels);
  const written = plan.commands.map(outputLine)[0];
  for (const [track, count] of channels.entries()) {
    const padding = 'aresample=async=1:min_hard_comp=0.02:first_pts=0,apad=whole_dur=2.000';
    expect(written).toContain(`${padding}${filters[track]}`);
    expect(written).toMatch(new RegExp(`-map 0:${track + 1} -af \\S+ -c:a aac -ac ${count} `));
  }
});
