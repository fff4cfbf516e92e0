/** A frame size in pixels. */
export type Pixels = { width: number; height: number };

const rate = 25;

/** Columns of the noise in each layer of a texture: finer layers are fainter. */
const layers = [20, 40, 80, 160, 320, 640, 1280];

/**
 * Filters of one shot: a surface with details of every size, panned and rotated, and an object in front of it that
 * moves in another direction.
 */
export function sceneFilters(
  label: string,
  { number, seconds, pixels: { width, height } }: { number: number; seconds: number; pixels: Pixels },
): string {
  const pace = ((number * 13) % 5) + 1;
  const [behind, front] = [`behind${number}`, `front${number}`];
  const wide = { width: width * 1.5, height: height * 1.5 };
  const turned = `rotate=a='0.25*sin(t*${pace}/6)':ow=${width * 1.3}:oh=${height * 1.3}`;
  const panned =
    `crop=${width}:${height}:x='(iw-ow)/2*(1+sin(t*${pace}/4+${number}))'` + `:y='(ih-oh)/2*(1+cos(t*${pace}/5))'`;
  const small = { width: Math.round(width * 0.35), height: Math.round(height * 0.7) };
  const crossing = `overlay=x='(W-w)/2*(1+sin(t*${6 - pace}/5))':y='(H-h)/2+40*sin(t*3)'`;
  return [
    `${texture(behind, { seed: number * 3 + 1, pixels: wide })},${turned},${panned}[${behind}]`,
    `${texture(front, { seed: number * 3 + 2, pixels: small })}[${front}]`,
    `[${behind}][${front}]${crossing},trim=duration=${seconds},setpts=PTS-STARTPTS[${label}]`,
  ].join(';');
}

/** An endless still image. */
function texture(name: string, { seed, pixels }: { seed: number; pixels: Pixels }): string {
  const noises = layers.map((columns, index) => {
    const size = `${columns}x${Math.round((columns * 9) / 16)}`;
    const noise = `noise=c0_strength=100:c1_strength=30:c2_strength=30:allf=u:all_seed=${seed * 10 + index}`;
    const source = `color=gray:size=${size}:rate=${rate},format=yuv444p,trim=end_frame=1`;
    return `${source},${noise},scale=${pixels.width}:${pixels.height}:flags=bicubic[${name}_${index}]`;
  });
  const weights = layers.map((_, index) => (2 ** (-0.7 * index)).toFixed(3)).join(' ');
  const mixed = `mix=inputs=${layers.length}:weights=${weights},eq=contrast=2.2:saturation=1.5`;
  const inputs = layers.map((_, index) => `[${name}_${index}]`).join('');
  return [...noises, `${inputs}${mixed},format=yuv420p,loop=-1:1,setpts=N/${rate}/TB`].join(';');
}
