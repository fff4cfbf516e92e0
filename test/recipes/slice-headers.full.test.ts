import { expect, it } from 'vitest';
import { openFile } from '../../adapters/filesystem/open-file.ts';
import { viewOf } from '../../core/media/boxes.ts';
import { fragmentSamples, readFragmentedFile } from '../../core/media/fragments/fragmented-file.ts';
import { nalFormatOf } from '../../core/media/nal/nal-format-of.ts';
import { nalUnits } from '../../core/media/nal/nal-units.ts';
import { readBytes } from '../../core/media/read-at.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';

const moving = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=4'];
/** Fades, for which encoders weight their references. */
const fading = [...moving, '-vf', 'fade=in:0:40,fade=out:50:40'];
const x264 = (params: string) => ['-c:v', 'libx264', '-x264-params', params];
const x265 = (params: string) => [
  '-c:v',
  'libx265',
  '-tag:v',
  'hvc1',
  '-x265-params',
  `log-level=error:${params}`,
];

it.each([
  ['x264 at its defaults', [...moving, ...x264('keyint=50')]],
  [
    'x264 with weights and many references',
    [...fading, ...x264('keyint=50:ref=8:bframes=6:weightp=2:b-pyramid=normal')],
  ],
  ['x264 with several slices', [...moving, ...x264('slices=4:bframes=2')]],
  ['x264 without arithmetic coding', [...moving, '-profile:v', 'baseline', ...x264('ref=3')]],
  ['x264 of fields', [...moving, '-flags', '+ildct', ...x264('tff=1:bframes=2')]],
  [
    'x264 in 4:4:4',
    [...moving, '-pix_fmt', 'yuv444p', ...x264('cqm=jvt:nal-hrd=vbr:vbv-maxrate=500:vbv-bufsize=500')],
  ],
  ['x265 at its defaults', [...moving, ...x265('keyint=50')]],
  [
    'x265 with weights and many references',
    [...fading, ...x265('keyint=50:ref=6:bframes=8:weightb=1:b-adapt=2')],
  ],
  ['x265 with several slices', [...moving, ...x265('slices=2')]],
  ['x265 without rows in parallel', [...moving, ...x265('wpp=0:sao=0:deblock=-1,1')]],
  [
    'x265 in 10 bits with lists of scaling and open groups',
    [...moving, '-pix_fmt', 'yuv420p10le', ...x265('scaling-list=default:open-gop=1:keyint=25:bframes=4')],
  ],
])('the slice headers of %s are as long as ffmpeg finds them', async (_, encoder) => {
  const muxing = ['-movflags', '+frag_keyframe+global_sidx+delay_moov+default_base_moof+skip_trailer'];
  const path = await generatedFile('slices.mp4', [...encoder, ...muxing]);
  const wanted = await tracedHeaders(path);
  expect(wanted.length).toBeGreaterThanOrEqual(100);
  expect(await readHeaders(path)).toEqual(wanted);
});

/** The bytes of each slice header, without emulation prevention, as ffmpeg's own parser traces them. */
async function tracedHeaders(path: string): Promise<number[]> {
  const trace = await bareFfmpeg(['-i', path, '-c', 'copy', '-bsf:v', 'trace_headers', '-f', 'null', '-']);
  const sections = trace.split(/\] (?=[A-Z][A-Za-z ]+(?:: |\n))/);
  return sections
    .filter((section) => /^Slice (Segment )?Header\n/.test(section))
    .map((section) => {
      const [, position, bits = ''] =
        [...section.matchAll(/\] (\d+) +\S.*? ([01]+) = -?\d+$/gm)].at(-1) ?? [];
      return Math.ceil((Number(position) + bits.length) / 8);
    });
}

/** The same by our parser. */
async function readHeaders(path: string): Promise<number[]> {
  await using file = await openFile(path);
  const { readAt } = file;
  const { initBytes, fragments } = await readFragmentedFile(readAt);
  const format = nalFormatOf(viewOf(await readBytes(readAt, { offset: 0, sizeBytes: initBytes })));
  if (format === undefined) throw new Error('The file has no NAL units');
  const found: number[] = [];
  for (const fragment of fragments) {
    for (const { offset, sizeBytes } of await fragmentSamples(readAt, fragment)) {
      const sample = await readBytes(readAt, { offset: fragment.offset + offset, sizeBytes });
      for (const unit of nalUnits(sample, format.lengthBytes)) {
        const bytes = format.clearBytes(unit);
        if (bytes < unit.length) found.push(bytes - preventionBytes(unit.subarray(0, bytes)));
      }
    }
  }
  return found;
}

function preventionBytes(unit: Uint8Array): number {
  return Buffer.from(unit).toString('hex').replaceAll(/../g, '$& ').split('00 00 03').length - 1;
}
