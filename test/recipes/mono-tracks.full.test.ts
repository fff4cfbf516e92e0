// @module-tag audio
import type { Format } from '@media-jobs/video/media';
import { bareFfmpeg, encode, encodeOne, generatedFile, loudestTones } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const hertz = [400, 900, 1500, 2300] as const;

const videoCodecs = { mxf: ['mpeg2video', '-q:v', '4'], mov: ['prores_ks', '-profile:v', '0'] };

/** A file as cameras write it: each channel is a mono track with a tone of its own. */
function cameraClip(container: 'mxf' | 'mov', audioCodec = 'pcm_s24le'): Promise<string> {
  return generatedFile(`mono-tracks.${container}`, [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=3'],
    ...hertz.flatMap((tone) => ['-f', 'lavfi', '-i', `sine=${tone}:sample_rate=48000:duration=3`]),
    ...[0, 1, 2, 3, 4].flatMap((input) => ['-map', String(input)]),
    ...['-c:v', ...videoCodecs[container], '-c:a', audioCodec],
  ]);
}

const tonesOf = (path: string, channels: number, track = 0) => loudestTones(path, hertz, { channels, track });

describe.each(['mxf', 'mov'] as const)('mono tracks in %s', (container) => {
  it.each<[Format, Parameters<typeof encode>[2]]>([
    ['mp4', { name: 'compress', preset: 'ultrafast' }],
    ['mov', { name: 'transcode', codec: 'prores', profile: 'proxy' }],
    ['mp4', { name: 'clip', start: 1, end: 2 }],
    ['mp4', { name: 'speed', factor: 1.1 }],
    ['mp4', { name: 'normalize-audio' }],
    ['wav', { name: 'normalize-audio' }],
    ['wav', { name: 'extract-audio' }],
  ])('the first two are left and right of one stereo track: %s, %o', async (format, recipe) => {
    const { path, probe } = await encodeOne(await cameraClip(container), format, recipe);
    expect(probe.streams.filter(({ kind }) => kind === 'audio')).toMatchObject([{ channels: 2 }]);
    expect(await tonesOf(path, 2)).toEqual([400, 900]);
  });

  it('are one stereo track in every rendition', async () => {
    const recipe = { name: 'renditions', heights: [360, 240] } as { name: 'renditions'; heights: number[] };
    const outputs = await encode(await cameraClip(container), 'mp4', recipe);
    expect(outputs).toHaveLength(2);
    for (const { path } of outputs) expect(await tonesOf(path, 2)).toEqual([400, 900]);
  });

  it('are one stereo track of an adaptive stream', async () => {
    const files = await encodeAll(await cameraClip(container), 'm3u8', { name: 'hls' });
    const audio = files.outputs.filter(({ track }) => track?.kind === 'audio');
    expect(audio.map(({ name }) => name)).toEqual(['audio']);
    expect(await tonesOf(files.paths.get('audio') ?? '', 2)).toEqual([400, 900]);
    expect(await files.text('hls')).toContain('CHANNELS="2"');
  });

  it('are one stereo track of a joined video', async () => {
    const source = await cameraClip(container);
    const { path } = await encodeOne({ inputs: [source, source] }, 'mp4', { name: 'concat' });
    expect(await tonesOf(path, 2)).toEqual([400, 900]);
  });

  it('are mono where they are chosen', async () => {
    const recipe = { name: 'transcode', preset: 'ultrafast', audioTracks: [3, 1] };
    const { path, probe } = await encodeOne(await cameraClip(container), 'mp4', recipe as { name: 'transcode' });
    expect(probe.streams.slice(1)).toMatchObject([{ channels: 1 }, { channels: 1 }]);
    expect([await tonesOf(path, 1, 0), await tonesOf(path, 1, 1)]).toEqual([[2300], [900]]);
  });

  it('are all copied by remux', async () => {
    const { probe } = await encodeOne(await cameraClip(container), 'mov', { name: 'remux' });
    expect(probe.streams.filter(({ kind }) => kind === 'audio')).toMatchObject(hertz.map(() => ({ channels: 1 })));
  });
});

/** A file with one track of these channels, of which each has a tone of its own. */
function discreteClip(container: 'mxf' | 'wav', channels: number): Promise<string> {
  const tones = Array.from({ length: channels }, (_, channel) => `0.2*sin(2*PI*${hertz[channel % 4]}*t)`);
  const audio = `aevalsrc=exprs='${tones.join('|')}':channel_layout=${channels}c:sample_rate=48000:duration=2`;
  return generatedFile(`discrete-${channels}.${container}`, [
    ...(container === 'mxf' ? ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2'] : []),
    ...['-f', 'lavfi', '-i', audio],
    ...(container === 'mxf' ? ['-c:v', ...videoCodecs.mxf] : []),
    ...['-c:a', 'pcm_s16le'],
  ]);
}

describe('one track of discrete channels', () => {
  it.each<[number, Format, Parameters<typeof encode>[2]]>([
    [4, 'mp4', { name: 'compress', preset: 'ultrafast' }],
    [8, 'mp4', { name: 'compress', preset: 'ultrafast' }],
    [8, 'mp4', { name: 'speed', factor: 1.1 }],
    [8, 'mp4', { name: 'normalize-audio' }],
    [8, 'm4a', { name: 'extract-audio', channels: 'source' }],
  ])('in MXF, the first two of %i are left and right: %s, %o', async (channels, format, recipe) => {
    const { path, probe } = await encodeOne(await discreteClip('mxf', channels), format, recipe);
    expect(probe.streams.at(-1)).toMatchObject({ channels: 2 });
    expect(await tonesOf(path, 2)).toEqual([400, 900]);
    expect(await levelOf(path, 1500)).toBeLessThan(-50);
  });

  it('are left and right in a joined video', async () => {
    const source = await discreteClip('mxf', 8);
    const { path } = await encodeOne({ inputs: [source, source] }, 'mp4', { name: 'concat' });
    expect(await tonesOf(path, 2)).toEqual([400, 900]);
    expect(await levelOf(path, 1500)).toBeLessThan(-50);
  });

  it('keeps all of them in wav', async () => {
    const { path } = await encodeOne(await discreteClip('mxf', 4), 'wav', { name: 'extract-audio' });
    expect(await tonesOf(path, 4)).toEqual(hertz);
  });

  it('in MXF with six has the center of 5.1 on both sides', async () => {
    const recipe = { name: 'compress', preset: 'ultrafast' } as const;
    const { path } = await encodeOne(await discreteClip('mxf', 6), 'mp4', recipe);
    expect(await levelOf(path, 1500)).toBeGreaterThan(-30);
  });
});

/** The mean level of a tone in dB. */
async function levelOf(path: string, tone: number): Promise<number> {
  const filters = `bandpass=frequency=${tone}:width_type=h:width=20,bandpass=frequency=${tone}:width_type=h:width=20,volumedetect`;
  const log = await bareFfmpeg(['-i', path, '-map', '0:a:0', '-af', filters, '-f', 'null', '-']);
  return Number(/mean_volume: (-?[\d.]+) dB/.exec(log)?.[1]);
}

/** A MOV with a mono track for each of these loudspeakers, with tones of their own. */
function namedTracks(places: readonly string[]): Promise<string> {
  const tracks = places.map((place, at) => `aevalsrc=0.3*sin(2*PI*${300 + 400 * at}*t):c=${place}:s=48000:d=2`);
  return generatedFile(`named-${places.length}.mov`, [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2'],
    ...tracks.flatMap((track) => ['-f', 'lavfi', '-i', track]),
    ...[0, ...places.map((_, at) => at + 1)].flatMap((input) => ['-map', String(input)]),
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'pcm_s16le'],
  ]);
}

describe('mono tracks that name the loudspeakers of 5.1', () => {
  const source = () => namedTracks(['FL', 'FR', 'FC', 'LFE', 'SL', 'SR']);

  it('are one track, whose center is on both sides of stereo', async () => {
    const { path, probe } = await encodeOne(await source(), 'mp4', { name: 'compress', preset: 'ultrafast' });
    expect(probe.streams.slice(1)).toMatchObject([{ channels: 2 }]);
    expect(await levelOf(path, 1100)).toBeGreaterThan(-25);
  });

  it('are surround where it is kept', async () => {
    const { probe } = await encodeOne(await source(), 'm4a', { name: 'extract-audio', channels: 'source' });
    expect(probe.streams).toMatchObject([{ channels: 6 }]);
  });
});

it.each<[Format]>([['mp3'], ['m4a'], ['opus'], ['flac'], ['wav']])(
  'a single channel for the left loudspeaker keeps its level in %s, as mono',
  async (format) => {
    const { path, probe } = await encodeOne(await namedTracks(['FL']), format, { name: 'extract-audio' });
    expect(probe.streams).toMatchObject([{ channels: 1 }]);
    // A sine of amplitude 0.3 has -13.5 dB.
    expect(Math.abs((await levelOf(path, 300)) + 13.5)).toBeLessThan(1);
  },
);

it('two channels for other loudspeakers are left and right', async () => {
  const tones = '0.3*sin(2*PI*400*t)|0.3*sin(2*PI*900*t)';
  const source = await generatedFile('behind.wav', ['-f', 'lavfi', '-i', `aevalsrc=${tones}:c=BL+BR:s=48000:d=2`]);
  const { path } = await encodeOne(source, 'mp3', { name: 'extract-audio' });
  expect(await tonesOf(path, 2)).toEqual([400, 900]);
});

it('mono tracks in AAC may be languages: the first is the only one', async () => {
  const source = await cameraClip('mov', 'aac');
  const { path, probe } = await encodeOne(source, 'mp4', { name: 'compress', preset: 'ultrafast' });
  expect(probe.streams.filter(({ kind }) => kind === 'audio')).toMatchObject([{ channels: 1 }]);
  expect(await tonesOf(path, 1)).toEqual([400]);
});
