import { describe, expect, it } from 'vitest';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { cachedFile } from '../builders/media/cached-file.ts';
import { clipWith } from '../builders/media/clips.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';
import { plan } from '../builders/recipes/plan.ts';

/** Fine detail in motion, which small files cannot keep: 15 s, so that it is judged by samples. */
function aLongClip(): Promise<string> {
  const args = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:rate=15:duration=15',
    '-vf',
    'noise=alls=12:allf=t',
  ];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '4', '-pix_fmt', 'yuv420p'];
  return cachedFile({ name: 'detail.mp4', recipe: [...args, ...h264] }, (path) =>
    bareFfmpeg([...args, ...h264, path]),
  );
}

/** The score of a whole file, by ffmpeg's filter over all frames. */
async function vmafOf(path: string, source: string): Promise<number> {
  const graph = '[0:v]setpts=N/25/TB[a];[1:v]setpts=N/25/TB[b];[a][b]libvmaf';
  const log = await bareFfmpeg(['-i', path, '-i', source, '-lavfi', graph, '-f', 'null', '-']);
  return Number(log.match(/VMAF score: ([\d.]+)/)?.[1]);
}

describe('targetVmaf', () => {
  it.each([
    ['a short source', clipWith, 80],
    ['samples of a long one', aLongClip, 88],
  ])('reaches its score by %s with the highest crf', async (_name, source, targetVmaf) => {
    const input = await source();
    const output = await encodeOne(input, 'mp4', { name: 'compress', targetVmaf, preset: 'ultrafast' });
    const { crf = 0, vmaf = 0 } = output.measurements ?? {};
    expect(vmaf).toBeGreaterThanOrEqual(targetVmaf);
    expect(Math.abs((await vmafOf(output.path, input)) - vmaf)).toBeLessThan(2);
    const coarser = await encodeOne(input, 'mp4', { name: 'compress', crf: crf + 3, preset: 'ultrafast' });
    expect(await vmafOf(coarser.path, input)).toBeLessThan(targetVmaf);
  });

  it('works for other codecs', async () => {
    const recipe = { name: 'transcode', codec: 'vp9', targetVmaf: 75 } as const;
    const output = await encodeOne(await clipWith({ rate: 'variable' }), 'webm', recipe);
    expect(output.measurements).toMatchObject({ vmaf: expect.any(Number), crf: expect.any(Number) });
  });

  it('is rejected before encoding by an ffmpeg without libvmaf', async () => {
    expect(() => plan({ name: 'compress', targetVmaf: 90 }, 'mp4')).toThrow('has no libvmaf');
  });
});

it('the encoder lists the filters of this ffmpeg', async () => {
  const filters = await anEncoder().filters();
  expect([...filters]).toEqual(expect.arrayContaining(['scale', 'loudnorm', 'subtitles', 'zscale']));
});
