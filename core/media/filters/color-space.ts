import type { Size } from '../frame-size.ts';
import type { VideoStream } from '../probe/probe.ts';

/** The color matrix of an image format. JPEG and WebP always use BT.601; PNG and GIF store RGB. */
export type ImageColorMatrix = 'bt601' | 'rgb';

/** Names of the color matrices in the scale filter. */
const filterNames: Record<string, string> = {
  bt709: 'bt709',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  smpte240m: 'smpte240m',
  fcc: 'fcc',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};

/** The color primaries that belong to a color matrix. */
const primariesOfMatrix: Record<string, string> = {
  bt470bg: 'bt470bg',
  smpte170m: 'smpte170m',
  smpte240m: 'smpte240m',
  fcc: 'bt470m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};

/** Names of ITU-T H.273 that ffprobe reports, and the filters setparams and zscale take. */
// biome-ignore format: a table
export const knownPrimaries = [
  'bt709', 'bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'bt2020',
  'smpte428', 'smpte431', 'smpte432', 'ebu3213',
];

/** Those of SDR television, which are not converted: their colors differ little from those of BT.709. */
const narrowPrimaries = ['bt470bg', 'smpte170m', 'smpte240m', 'ebu3213'];

/** Transfers that setparams takes. */
// biome-ignore format: a table
const knownTransfers = [
  'bt709', 'bt470m', 'bt470bg', 'smpte170m', 'smpte240m', 'linear', 'log100', 'log316',
  'iec61966-2-4', 'bt1361e', 'iec61966-2-1', 'bt2020-10', 'bt2020-12', 'smpte428',
];

/** Tags untagged HD video as BT.709, which players assume for HD. ffmpeg assumes BT.601. */
export function assumeHdColorMatrix(video: VideoStream): string[] {
  const isUntagged = video.colorMatrix === undefined && !isRgb(video) && !video.hdrTransfer;
  return isUntagged && isHd(video) ? ['setparams=colorspace=bt709'] : [];
}

/**
 * Color options of the scale filter, each with a leading colon. When ffmpeg converts a full range or RGB source to what
 * encoders accept, it drops the matrix of the source, and players would guess it.
 */
export function scaleColorOptions(
  video: VideoStream,
  target: { size: Size; matrix?: ImageColorMatrix | undefined },
): string {
  const { matrix } = target;
  if (video.hdrTransfer || matrix === 'rgb') return '';
  if (isRgb(video)) return matrix ? '' : ':out_color_matrix=bt709';
  const found = filterNames[video.colorMatrix ?? assumedMatrix(video)] ?? filterNames[assumedMatrix(video)];
  const wanted = matrix ?? filterNames[outputMatrix(video, target.size)] ?? found;
  if (matrix && wanted === found) return '';
  return wanted !== found || video.isFullRange ? `:out_color_matrix=${wanted}:out_range=tv` : '';
}

/** Tags a video in full. Players guess what is missing, and not all alike. */
export function tagColors(video: VideoStream, size: Size): string[] {
  const matrix = outputMatrix(video, size);
  const declared: Partial<VideoStream> = video.hdrTransfer ? {} : video;
  const primaries = known(declared.colorPrimaries, knownPrimaries) ?? assumedPrimaries(video, matrix);
  const transfer = known(declared.colorTransfer, knownTransfers) ?? 'bt709';
  return [`setparams=range=tv:color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}`];
}

/** Above standard definition. Players choose the matrix of untagged video by this. */
function isHd({ width, height }: Size): boolean {
  return width >= 1280 || height > 576;
}

/** Standard definition enlarged to HD becomes BT.709: players that ignore tags assume it by the size. */
function outputMatrix(video: VideoStream, size: Size): string {
  if (video.hdrTransfer || isRgb(video)) return 'bt709';
  const matrix = video.colorMatrix ?? assumedMatrix(video);
  const isEnlarged = isHd(size) && !isHd(video);
  return isEnlarged && filterNames[matrix] === 'bt601' ? 'bt709' : matrix;
}

/** The color matrix of a video that declares none. */
export function assumedMatrix(video: Size): 'bt709' | 'bt470bg' | 'smpte170m' {
  if (isHd(video)) return 'bt709';
  return video.height === 576 ? 'bt470bg' : 'smpte170m';
}

/** Untagged video of another size than those of television is from a computer or a phone. */
function assumedPrimaries(video: VideoStream, matrix: string): string {
  if (video.hdrTransfer) return 'bt709';
  const isTelevision = video.colorMatrix !== undefined || [480, 486, 576].includes(video.height);
  return (isTelevision ? primariesOfMatrix[matrix] : undefined) ?? 'bt709';
}

/**
 * Tags the frames of an image as sRGB: a PNG states the colors of its frames, and viewers would apply the gamma of video.
 * A still image of SDR keeps the tags of its file, except HEIF, whose colors are converted.
 */
export function tagImageColors({
  colorPrimaries,
  framesPerSecond,
  heif,
  hdrTransfer,
}: VideoStream): string[] {
  const isHdr = hdrTransfer !== undefined;
  if (!isHdr && framesPerSecond === undefined && heif === undefined) return [];
  const primaries = isHdr ? undefined : known(colorPrimaries, narrowPrimaries);
  return [`setparams=color_primaries=${primaries ?? 'bt709'}:color_trc=iec61966-2-1`];
}

function known(name: string | undefined, names: readonly string[]): string | undefined {
  return name !== undefined && names.includes(name) ? name : undefined;
}

export function isRgb({ pixelFormat = '' }: Pick<VideoStream, 'pixelFormat'>): boolean {
  return /^(0?rgb|0?bgr|gbr|argb|abgr|pal8)/.test(pixelFormat);
}
