import { describe, expect, it, onTestFinished } from 'vitest';
import type { Format } from '../../core/media/formats.ts';
import { loudestTones } from '../builders/measure/loudest-tones.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encode, encodeOne } from '../builders/recipes/encode.ts';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const hertz = [400, 900, 1500, 2300] as const;

/** An MXF as broadcast cameras write it: each channel is a mono track with a tone of its own. */
function broadcastClip(): Promise<string> {
  return generatedFile('mono-tracks.mxf', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=3'],
    ...hertz.flatMap((tone) => ['-f', 'lavfi', '-i', `sine=${tone}:sample_rate=48000:duration=3`]),
    ...[0, 1, 2, 3, 4].flatMap((input) => ['-map', String(input)]),
    ...['-c:v', 'mpeg2video', '-q:v', '4', '-c:a', 'pcm_s24le'],
  ]);
}

const tonesOf = (path: string, channels: number, track = 0) => loudestTones(path, hertz, { channels, track });

describe('mono tracks in MXF', () => {
  it.each<[Format, Parameters<typeof encode>[2]]>([
    ['mp4', { name: 'compress', preset: 'ultrafast' }],
    ['mov', { name: 'transcode', codec: 'prores', profile: 'proxy' }],
    ['mp4', { name: 'clip', start: 1, end: 2 }],
    ['mp4', { name: 'speed', factor: 1.1 }],
    ['mp4', { name: 'normalize-audio' }],
    ['wav', { name: 'normalize-audio' }],
    ['wav', { name: 'extract-audio' }],
  ])('the first two are left and right of one stereo track: %s, %o', async (format, recipe) => {
    const { path, probe } = await encodeOne(await broadcastClip(), format, recipe);
    expect(probe.streams.filter(({ kind }) => kind === 'audio')).toMatchObject([{ channels: 2 }]);
    expect(await tonesOf(path, 2)).toEqual([400, 900]);
  });

  it('are one stereo track in every rendition', async () => {
    const recipe = { name: 'renditions', heights: [360, 240] } as { name: 'renditions'; heights: number[] };
    const outputs = await encode(await broadcastClip(), 'mp4', recipe);
    expect(outputs).toHaveLength(2);
    for (const { path } of outputs) expect(await tonesOf(path, 2)).toEqual([400, 900]);
  });

  it('are one stereo track of an adaptive stream', async () => {
    const files = await encodeAll(await broadcastClip(), 'm3u8', { name: 'hls' });
    onTestFinished(() => files.remove());
    const audio = files.outputs.filter(({ track }) => track?.kind === 'audio');
    expect(audio.map(({ name }) => name)).toEqual(['audio']);
    expect(await tonesOf(files.paths.get('audio') ?? '', 2)).toEqual([400, 900]);
    expect(await files.text('hls')).toContain('CHANNELS="2"');
  });

  it('are one stereo track of a joined video', async () => {
    const source = await broadcastClip();
    const { path } = await encodeOne({ inputs: [source, source] }, 'mp4', { name: 'concat' });
    expect(await tonesOf(path, 2)).toEqual([400, 900]);
  });

  it('are mono where they are chosen', async () => {
    const recipe = { name: 'transcode', preset: 'ultrafast', audioTracks: [3, 1] };
    const { path, probe } = await encodeOne(await broadcastClip(), 'mp4', recipe as { name: 'transcode' });
    expect(probe.streams.slice(1)).toMatchObject([{ channels: 1 }, { channels: 1 }]);
    expect([await tonesOf(path, 1, 0), await tonesOf(path, 1, 1)]).toEqual([[2300], [900]]);
  });

  it('are all copied by remux', async () => {
    const { probe } = await encodeOne(await broadcastClip(), 'mov', { name: 'remux' });
    expect(probe.streams.filter(({ kind }) => kind === 'audio')).toMatchObject(
      hertz.map(() => ({ channels: 1 })),
    );
  });
});
