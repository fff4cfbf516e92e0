import { rejectInput } from '../../errors.ts';
import type { Size } from '../frame-size.ts';
import type { VideoStream } from '../probe/probe.ts';
import { type Filter, filter } from './filter.ts';

/** The color matrix of an image format. JPEG and WebP always use BT.601; PNG and GIF store RGB. */
export type ImageColorMatrix = 'bt601' | 'rgb';

const filterNames: Record<string, string> = {
  bt709: 'bt709',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  smpte240m: 'smpte240m',
  fcc: 'fcc',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};

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

/**
 * Tags the frames of a video whose tag cannot be meant: untagged HD as BT.709, which players assume for HD and ffmpeg does
 * not, and YUV that declares RGB as if it were untagged.
 * @throws JobError `INPUT_UNSUPPORTED` for a color matrix that no filter converts, such as `ycgco`
 */
export function assumeColorMatrix(video: VideoStream): Filter[] {
  const { pixelFormat, hdrTransfer } = video;
  const colorMatrix = decodedMatrix(video);
  if (isRgb(video) || known(colorMatrix, Object.keys(filterNames))) return [];
  if (colorMatrix !== undefined && colorMatrix !== 'gbr') {
    rejectInput(
      `Expected a video with the color matrix of BT.601, BT.709 or BT.2020, found ${colorMatrix}. Convert the video, or correct its tag if it is wrong`,
    );
  }
  // Not of gray, which PNG declares as RGB.
  const isMistagged = colorMatrix === 'gbr' && pixelFormat?.startsWith('yuv');
  const assumed = hdrTransfer ? 'bt2020nc' : assumedMatrix(video);
  const isUntaggedHd = colorMatrix === undefined && assumed === 'bt709';
  return isMistagged || isUntaggedHd ? [filter('setparams', `colorspace=${assumed}`)] : [];
}

/**
 * Color options of the scale filter. When ffmpeg converts a full range or RGB source to what
 * encoders accept, it drops the matrix of the source, and players would guess it.
 */
export function scaleColorOptions(
  video: VideoStream,
  target: { size: Size; matrix?: ImageColorMatrix | undefined },
): { options: string; matrix: string } | undefined {
  const { matrix } = target;
  if (video.hdrTransfer || matrix === 'rgb') return undefined;
  if (isRgb(video)) return matrix ? undefined : { options: 'out_color_matrix=bt709', matrix: 'bt709' };
  const found = filterNames[matrixOf(video)];
  const wanted = matrix ?? filterNames[outputMatrix(video, target.size)] ?? found;
  if (wanted === undefined || (wanted === found && (matrix || !video.isFullRange))) return undefined;
  return { options: `out_color_matrix=${wanted}:out_range=tv`, matrix: wanted };
}

/** Tags a video in full. Players guess what is missing, and not all alike. */
export function tagColors(video: VideoStream, size: Size): Filter[] {
  const { colorPrimaries, colorTransfer, colorMatrix } = taggedColors(video, size);
  const tags = `range=tv:color_primaries=${colorPrimaries}:color_trc=${colorTransfer}:colorspace=${colorMatrix}`;
  return [filter('setparams', tags)];
}

/** The colors that a video of this size is tagged with, by ffmpeg's names. */
export function taggedColors(
  video: VideoStream,
  size: Size,
): Record<'colorMatrix' | 'colorPrimaries' | 'colorTransfer', string> {
  const colorMatrix = outputMatrix(video, size);
  const declared: Partial<VideoStream> = video.hdrTransfer ? {} : video;
  return {
    colorMatrix,
    colorPrimaries: known(declared.colorPrimaries, knownPrimaries) ?? assumedPrimaries(video, colorMatrix),
    colorTransfer: known(declared.colorTransfer, knownTransfers) ?? 'bt709',
  };
}

/** Above standard definition. Players choose the matrix of untagged video by this. */
function isHd({ width, height }: Size): boolean {
  return width >= 1280 || height > 576;
}

/** The size of the frames as they are coded, by which the formats of television differ: not rotated, in pixels of any aspect. */
function codedSize({ width, height, rotation, pixelAspect }: VideoStream): Size {
  const isUpright = rotation % 180 === 0;
  return { width: (isUpright ? width : height) / pixelAspect, height: isUpright ? height : width };
}

/** Standard definition enlarged to HD becomes BT.709: players that ignore tags assume it by the size. */
function outputMatrix(video: VideoStream, size: Size): string {
  if (video.hdrTransfer || isRgb(video)) return 'bt709';
  const matrix = matrixOf(video);
  const isLarger = size.width > video.width || size.height > video.height;
  const isEnlarged = isLarger && isHd(size) && !isHd(codedSize(video));
  return isEnlarged && filterNames[matrix] === 'bt601' ? 'bt709' : matrix;
}

/** The color matrix of the frames, after `assumeColorMatrix`. */
function matrixOf(video: VideoStream): string {
  return known(video.colorMatrix, Object.keys(filterNames)) ?? assumedMatrix(video);
}

/** The color matrix of a video that declares none. */
export function assumedMatrix(video: VideoStream): 'bt709' | 'bt470bg' | 'smpte170m' {
  const coded = codedSize(video);
  if (isHd(coded)) return 'bt709';
  return coded.height === 576 ? 'bt470bg' : 'smpte170m';
}

/** Untagged video of another size than those of television is from a computer or a phone. */
function assumedPrimaries(video: VideoStream, matrix: string): string {
  if (video.hdrTransfer) return 'bt709';
  const isTelevision = decodedMatrix(video) !== undefined || [480, 486, 576].includes(codedSize(video).height);
  return (isTelevision ? primariesOfMatrix[matrix] : undefined) ?? 'bt709';
}

/**
 * Tags the frames of an image as sRGB: a PNG states the colors of its frames, and viewers would apply the gamma of video.
 * A still image of SDR keeps the tags of its file, except HEIF, whose colors are converted.
 */
export function tagImageColors({ colorPrimaries, framesPerSecond, heif, hdrTransfer }: VideoStream): Filter[] {
  const isHdr = hdrTransfer !== undefined;
  if (!isHdr && framesPerSecond === undefined && heif === undefined) return [];
  const primaries = isHdr ? undefined : known(colorPrimaries, narrowPrimaries);
  return [filter('setparams', `color_primaries=${primaries ?? 'bt709'}:color_trc=iec61966-2-1`)];
}

function known(name: string | undefined, names: readonly string[]): string | undefined {
  return name !== undefined && names.includes(name) ? name : undefined;
}

export function isRgb({ pixelFormat = '' }: Pick<VideoStream, 'pixelFormat'>): boolean {
  return /^(0?rgb|0?bgr|gbr|argb|abgr|pal8)/.test(pixelFormat);
}

const headerFilters: Record<string, string> = {
  h264: 'h264_metadata',
  hevc: 'hevc_metadata',
  av1: 'av1_metadata',
  mpeg2video: 'mpeg2_metadata',
};

type DeclaredMatrix = Pick<VideoStream, 'index' | 'codec' | 'colorMatrix'>;

/**
 * Input options that decode a video as untagged if its color matrix is 3, which ITU-T H.273 reserves and some Samsung phones
 * write. From 7.0 on, ffmpeg rejects such frames before the first filter (`Invalid color space`), so the headers are
 * rewritten before the decoder. A copy would be rewritten too.
 */
export function dropReservedMatrix({ index, codec, colorMatrix }: DeclaredMatrix): string[] {
  const filter = headerFilters[codec];
  if (colorMatrix !== 'reserved' || filter === undefined) return [];
  return [`-bsf:${index}`, `${filter}=matrix_coefficients=2`];
}

/** The color matrix of a video as it is decoded, by ffmpeg's name; undefined if it is untagged. */
function decodedMatrix(video: DeclaredMatrix): string | undefined {
  return dropReservedMatrix(video).length === 0 ? video.colorMatrix : undefined;
}

/** Where the first chroma sample is, in 1/256 of a luma sample from the first luma sample. */
type Position = { h: number; v: number };

const left: Position = { h: 0, v: 128 };

/** By ffmpeg's names. Video that states none has its chroma samples at the left. */
const positions: Record<string, Position> = {
  left,
  topleft: { h: 0, v: 0 },
  top: { h: 128, v: 0 },
  center: { h: 128, v: 128 },
};

type ChromaSource = Pick<VideoStream, 'chromaLocation' | 'pixelFormat' | 'rotation' | 'isMirrored'>;

/**
 * Options of the first scale filter of a video, each with a leading colon. ffmpeg 7 ignores the location that frames
 * state, which encoders write into their headers: it scales as if chroma samples were in the center.
 */
export function chromaOptions(video: ChromaSource): string {
  // ffmpeg reduces RGB itself before it scales, around the center.
  const input = isRgb(video) ? [] : positionOptions('in', rotatedPosition(video));
  return joinOptions([...input, ...positionOptions('out', positionOf(video))]);
}

/** Options of further scale filters, whose frames are not RGB and have the chroma location of the source. */
export function keptChromaOptions(video: ChromaSource): string {
  const position = positionOf(video);
  return joinOptions([...positionOptions('in', position), ...positionOptions('out', position)]);
}

function positionOf({ chromaLocation = 'left' }: ChromaSource): Position {
  return positions[chromaLocation] ?? left;
}

/** ffmpeg rotates frames before the filters. Their chroma samples move with the frame; the stated location does not. */
function rotatedPosition(video: ChromaSource): Position {
  const stored = positionOf(video);
  // Only of frames with half as many chroma samples in both directions.
  if (!/^yuvj?420/.test(video.pixelFormat ?? '')) return stored;
  const { h } = stored;
  const v = video.isMirrored ? 256 - stored.v : stored.v;
  if (video.rotation === 90) return { h: 256 - v, v: h };
  if (video.rotation === 180) return { h: 256 - h, v: 256 - v };
  return video.rotation === 270 ? { h: v, v: 256 - h } : { h, v };
}

/** The center is the default. ffmpeg 7.0 mistakes it, when stated, for half a sample where chroma is not subsampled. */
function positionOptions(side: 'in' | 'out', position: Position): string[] {
  return (['h', 'v'] as const).flatMap((axis) =>
    position[axis] === 128 ? [] : [`${side}_${axis}_chr_pos=${position[axis]}`],
  );
}

function joinOptions(options: readonly string[]): string {
  return options.map((option) => `:${option}`).join('');
}

const widePrimaries = ['bt2020', 'smpte431', 'smpte432'];

/**
 * Whether an SDR video or a HEIF image has the primaries of BT.2020 or P3. Relabelled as BT.709, its colors would be pale.
 * Of other still images, ffmpeg keeps the color profile, which would then apply to converted colors.
 */
export function hasWideGamut({ hdrTransfer, colorPrimaries = '', ...video }: VideoStream): boolean {
  const mayHaveProfile = video.framesPerSecond === undefined && video.heif === undefined;
  return hdrTransfer === undefined && !mayHaveProfile && widePrimaries.includes(colorPrimaries);
}
