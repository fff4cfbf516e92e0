import type { VideoStream } from './probe.ts';

/** How JPEG and WebP make colours into brightness and difference, whatever the picture was before. */
export type PictureMatrix = 'bt601';

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

/**
 * Options of the filter that scales a picture, each with its colon, so that its colours stay what they are: ffmpeg
 * forgets what the source said where a range or RGB is turned into what encoders take, and players then guess.
 */
export function colourOptions(video: VideoStream, matrix?: PictureMatrix): string {
  if (video.hdrTransfer) return '';
  const own = filterNames[video.colorMatrix ?? ''];
  const guessed = own ?? (isHd(video) ? 'bt709' : 'bt601');
  if (isRgb(video)) return matrix ? '' : ':out_color_matrix=bt709';
  const read = own === undefined && guessed === 'bt709' ? ':in_color_matrix=bt709' : '';
  if (matrix) return guessed === matrix ? '' : `${read}:out_color_matrix=${matrix}:out_range=tv`;
  if (video.isFullRange) return `${read}:out_color_matrix=${guessed}:out_range=tv`;
  return read && `${read}:out_color_matrix=bt709`;
}

/** Above the sizes of standard definition, whose matrix players take where a file does not say. */
function isHd({ width, height }: VideoStream): boolean {
  return width >= 1280 || height > 576;
}

function isRgb({ pixelFormat = '' }: VideoStream): boolean {
  return /^(0?rgb|0?bgr|gbr|argb|abgr|pal8)/.test(pixelFormat);
}
