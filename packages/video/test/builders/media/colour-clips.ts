import { generatedFile } from './generated-file.ts';

/** Red, green and blue of every pixel. */
export const colour = [192, 32, 64] as const;

const hex = colour.map((value) => value.toString(16).padStart(2, '0')).join('');
const hd = ['-f', 'lavfi', '-i', `color=0x${hex}:size=1280x720:rate=5:duration=1`];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '4'];
const sd = ['-f', 'lavfi', '-i', `color=0x${hex}:size=720x576:rate=5:duration=1`];
const as601 = 'scale=out_color_matrix=bt601:out_range=tv,format=yuv444p';
// From ffmpeg 7.1 on, an encoder takes the tags of its frames, not those of its options.
const smpte170m = 'setparams=colorspace=smpte170m:color_primaries=smpte170m:color_trc=smpte170m';
const as709 = (range: 'tv' | 'pc') => `scale=out_color_matrix=bt709:out_range=${range},format=yuv444p`;

const wide = (color: string, { matrix, tags }: { matrix: 'bt709' | 'bt2020'; tags: string }) => [
  ...['-f', 'lavfi', '-i', `color=0x${color}:size=1281x719:rate=5:duration=1`],
  ...['-vf', `scale=out_color_matrix=${matrix}:out_range=tv,format=yuv444p,setparams=range=tv:${tags}`, ...h264],
];
const bt2020 = 'color_primaries=bt2020:color_trc=bt709:colorspace=bt2020nc';
const displayP3 = 'color_primaries=smpte432:color_trc=iec61966-2-1:colorspace=bt709';

/** Wide gamut in SDR, as red, green and blue of its own and of BT.709 (ITU-R BT.2407, 2). */
export const wideGamutClips = {
  bt2020: { stored: [165, 83, 65], shown: [200, 60, 60] },
  displayP3: { stored: [200, 100, 80], shown: [214, 93, 72] },
} as const;

/** One colour in HD, in each colour encoding that files have. */
const clips = {
  tagged: ['tagged.mp4', [...hd, '-vf', `${as709('tv')},setparams=colorspace=bt709:range=tv`, ...h264]],
  untagged: ['untagged.mp4', [...hd, '-vf', `${as709('tv')},setparams=colorspace=unknown:range=unknown`, ...h264]],
  fullRange: ['full-range.mp4', [...hd, '-vf', `${as709('pc')},setparams=colorspace=bt709:range=pc`, ...h264]],
  sd: ['sd.mp4', [...sd, '-vf', `${as601},setparams=colorspace=unknown:range=unknown`, ...h264]],
  sdTagged: ['sd-tagged.mp4', [...sd, '-vf', `${as601},${smpte170m}`, ...h264]],
  bt2020: ['bt2020.mp4', wide('a55341', { matrix: 'bt2020', tags: bt2020 })],
  displayP3: ['display-p3.mp4', wide('c86450', { matrix: 'bt709', tags: displayP3 })],
  rgb: ['rgb.mov', [...hd, '-vf', 'format=rgb24', '-c:v', 'png']],
} satisfies Record<string, [name: string, args: string[]]>;

export type ColourClip = keyof typeof clips;

/** The path of a clip of that colour, made on first use. */
export function colourClip(kind: ColourClip): Promise<string> {
  const [name, args] = clips[kind];
  return generatedFile(name, args);
}
