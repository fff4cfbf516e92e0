import type { VideoStream } from '../probe/probe.ts';

/** How a format of pictures holds colours: JPEG and WebP by one matrix whatever the source's was, PNG and GIF by none. */
export type ImageColorMatrix = 'bt601' | 'rgb';

/** What the scale filter calls the matrices that it knows. */
const filterNames: Record<string, string> = {
  bt709: 'bt709',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  smpte240m: 'smpte240m',
  fcc: 'fcc',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};

/** A filter that says what players take for granted of HD whose file does not say; they would not, once it is small. */
export function assumeHdColorMatrix(video: VideoStream): string[] {
  const isSilent = video.colorMatrix === undefined && !isRgb(video) && !video.hdrTransfer;
  return isSilent && isHd(video) ? ['setparams=colorspace=bt709'] : [];
}

/**
 * Options of the filter that scales a picture, each with its colon, so that its colours stay what they are: ffmpeg
 * forgets what the source said where a range or RGB is turned into what encoders take, and players then guess.
 */
export function scaleColorOptions(video: VideoStream, matrix?: ImageColorMatrix): string {
  if (video.hdrTransfer || matrix === 'rgb') return '';
  if (isRgb(video)) return matrix ? '' : ':out_color_matrix=bt709';
  const own = filterNames[video.colorMatrix ?? ''] ?? (isHd(video) ? 'bt709' : 'bt601');
  if (matrix) return own === matrix ? '' : `:out_color_matrix=${matrix}:out_range=tv`;
  return video.isFullRange ? `:out_color_matrix=${own}:out_range=tv` : '';
}

/** Above the sizes of standard definition, whose matrix players take where a file does not say. */
export function isHd({ width, height }: Pick<VideoStream, 'width' | 'height'>): boolean {
  return width >= 1280 || height > 576;
}

function isRgb({ pixelFormat = '' }: VideoStream): boolean {
  return /^(0?rgb|0?bgr|gbr|argb|abgr|pal8)/.test(pixelFormat);
}
