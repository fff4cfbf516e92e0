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

/** Tags untagged HD video as BT.709, which players assume for HD. Scaled down, they would assume BT.601. */
export function assumeHdColorMatrix(video: VideoStream): string[] {
  const isUntagged = video.colorMatrix === undefined && !isRgb(video) && !video.hdrTransfer;
  return isUntagged && isHd(video) ? ['setparams=colorspace=bt709'] : [];
}

/**
 * Color options of the scale filter, each with a leading colon. When ffmpeg converts a full range or RGB source to what
 * encoders accept, it drops the matrix of the source, and players would guess it.
 */
export function scaleColorOptions(video: VideoStream, matrix?: ImageColorMatrix): string {
  if (video.hdrTransfer || matrix === 'rgb') return '';
  if (isRgb(video)) return matrix ? '' : ':out_color_matrix=bt709';
  const sourceMatrix = filterNames[video.colorMatrix ?? ''] ?? (isHd(video) ? 'bt709' : 'bt601');
  if (matrix) return sourceMatrix === matrix ? '' : `:out_color_matrix=${matrix}:out_range=tv`;
  return video.isFullRange ? `:out_color_matrix=${sourceMatrix}:out_range=tv` : '';
}

/** Above standard definition. Players choose the matrix of untagged video by this. */
export function isHd({ width, height }: Pick<VideoStream, 'width' | 'height'>): boolean {
  return width >= 1280 || height > 576;
}

function isRgb({ pixelFormat = '' }: VideoStream): boolean {
  return /^(0?rgb|0?bgr|gbr|argb|abgr|pal8)/.test(pixelFormat);
}
