import { describe, expect, it } from 'vitest';
import { frameTimes, ssim } from '../builders/measure/measure-video.ts';
import { readMasterPlaylist } from '../builders/measure/read-manifests.ts';
import { captionedClip } from '../builders/media/captioned-clip.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { clipWithSubtitles, srtOf } from '../builders/media/subtitled-clips.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';
import { runPipeline, runSequence } from '../builders/recipes/run-pipeline.ts';

const copy = { name: 'clip', accuracy: 'keyframe' } as const;
const compress = { name: 'compress', crf: 12, preset: 'ultrafast' } as const;

describe('a step behind one that copies the video is the same as alone', () => {
  const testVideo = (...options: string[]) => [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=320x180:${options.join(':')}`,
  ];

  it('for fields that only the frames state', async () => {
    const source = await generatedFile('fields.mp4', [
      ...testVideo('rate=50', 'duration=2'),
      ...['-vf', 'tinterlace=interleave_top', '-c:v', 'mpeg4', '-q:v', '3', '-flags', '+ildct+ilme'],
    ]);
    const alone = (await encodeOne(source, 'mp4', compress)).path;
    const path = await runPipeline(source, 'mp4', [{ name: 'mute' }, compress]);
    expect(await frameTimes(path)).toEqual(await frameTimes(alone));
    expect(await ssim({ path }, { path: alone })).toBeGreaterThan(0.999);
  });

  it('for the brightness that the frames of a video in HDR state', async () => {
    const colors = 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=4000,400';
    const source = await generatedFile('bright.mp4', [
      ...[
        ...testVideo('rate=25', 'duration=1'),
        '-pix_fmt',
        'yuv420p10le',
        '-c:v',
        'libx265',
        '-preset',
        'ultrafast',
      ],
      ...['-x265-params', `hdr10=1:repeat-headers=1:log-level=error:${colors}`, '-tag:v', 'hvc1'],
    ]);
    const alone = (await encodeOne(source, 'mp4', compress)).path;
    const path = await runPipeline(source, 'mp4', [{ name: 'mute' }, compress]);
    expect(await ssim({ path }, { path: alone })).toBeGreaterThan(0.999);
    await runPipeline(source, 'mp4', [{ name: 'mute' }, { name: 'hdr-to-sdr' }]);
  });
});

it('a stream behind another step states the closed captions', async () => {
  const steps = [
    { name: 'clip', start: 0, end: 2 },
    { name: 'hls', preset: 'ultrafast' },
  ] as const;
  const outputs = await runSequence(await captionedClip(3), 'm3u8', steps);
  const master = outputs.find(({ planned }) => planned.name === 'hls');
  const { sizes } = readMasterPlaylist(await anEncoder().readText(master?.path ?? ''));
  expect(sizes.map(({ captions }) => captions)).toEqual(['captions']);
});

it('a copy for the next step keeps codecs that MP4 cannot hold', async () => {
  const source = await generatedFile('vorbis.mkv', [
    ...[
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=320x180:rate=25:duration=3',
      '-f',
      'lavfi',
      '-i',
      'sine=duration=3',
    ],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'libvorbis'],
  ]);
  const path = await runPipeline(source, 'mp4', [{ ...copy, start: 1.5 }, compress]);
  const { streams } = await anEncoder().probe(path);
  expect(streams.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
  expect(await frameTimes(path)).toHaveLength(50);
});

it('a copy for the next step keeps the styles of subtitles for Matroska', async () => {
  const source = await clipWithSubtitles('mkv', 'ass', [{ text: srtOf('Hello') }]);
  const { streams } = await anEncoder().probe(await runPipeline(source, 'mkv', [copy, { name: 'remux' }]));
  expect(streams.map(({ codec }) => codec)).toContain('ass');
});
