import { type Filter, filter, formatFilter } from './filters/filter.ts';
import { evenSize, fitInside, type Size } from './frame-size.ts';

/** Models of libvmaf: for a 1080p display seen from three times its height, and for a 4K display from one and a half. */
export type VmafModel = 'vmaf_v0.6.1' | 'vmaf_4k_v0.6.1';

export type Display = { size: Size; model: VmafModel };

const hdDisplay: Size = { width: 1920, height: 1080 };
const uhdDisplay: Size = { width: 3840, height: 2160 };

/** Halfway between 1080p and 2160p in pixels per side. */
const maxHdSide = 1.5 * hdDisplay.width;

/** libvmaf halves a frame four times. */
const minSide = 64;

/**
 * The display on which a source fills the screen, its model, and the size that frames have there. A smaller source is
 * enlarged, since a viewer sees it full screen and the model expects that distance.
 */
export function displayOf(source: Size): Display {
  const isUhd = Math.max(source.width, source.height) > maxHdSide;
  const { width, height } = isUhd ? uhdDisplay : hdDisplay;
  const screen = source.height > source.width ? { width: height, height: width } : { width, height };
  const size = evenSize(fitInside(source, screen));
  return {
    size: { width: Math.max(minSide, size.width), height: Math.max(minSide, size.height) },
    model: isUhd ? 'vmaf_4k_v0.6.1' : 'vmaf_v0.6.1',
  };
}

/** One time base for both videos: in two, the times of a pair would round differently and miss each other. */
const pairedByNumber = [filter('settb', '1/25'), filter('setpts', 'N')];

/** The last filters of both videos: display size, the pixel format of the models, and frames paired by number. */
export function displayFilters({ size }: Display): Filter[] {
  const scale = filter('scale', `${size.width}:${size.height}:flags=bicubic`, size);
  return [scale, filter('setsar', '1'), formatFilter('yuv420p'), ...pairedByNumber];
}
