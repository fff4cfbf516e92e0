import { bareFfmpegOutput } from '../media/bare-ffmpeg.ts';
import { generatedFile } from '../media/generated-file.ts';

const side = 128;

/** A round red patch in the middle of gray, at luma coordinates `x` and `y`, as a formula of ffmpeg's geq filter. */
function patch({ x, y }: { x: string; y: string }, scale = 1): string {
  const middle = (side - 1) / 2;
  const red = `${128 * scale}+${48 * scale}*exp(-(pow(${x}-${middle},2)+pow(${y}-${middle},2))/200)`;
  return `geq=lum=${128 * scale}:cb=${128 * scale}:cr='${red}'`;
}

/** A square clip with the patch, encoded without loss, whose chroma samples are at a location. */
export function patchClip(
  name: string,
  pixelFormat: 'yuv420p' | 'yuv420p10le' | 'yuv422p' | 'yuv444p',
  location: 'left' | 'topleft' | 'center',
  encoder: readonly string[],
): Promise<string> {
  const isSubsampled = !pixelFormat.startsWith('yuv444p');
  const x = isSubsampled ? `(2*X+${location === 'center' ? 0.5 : 0})` : 'X';
  const y = pixelFormat.startsWith('yuv420p') ? `(2*Y+${location === 'topleft' ? 0 : 0.5})` : 'Y';
  const video = `color=gray:size=${side}x${side}:rate=5:duration=1,format=${pixelFormat}`;
  return generatedFile(name, [
    ...['-f', 'lavfi', '-i', `${video},${patch({ x, y }, pixelFormat.endsWith('10le') ? 4 : 1)}`],
    ...encoder,
  ]);
}

/** How far the patch is from the middle of a 4:2:0 video, in chroma samples, if these are where the file states. */
export async function chromaShift(
  path: string,
  { width, location }: { width: number; location: 'left' | 'topleft' | 'center' },
): Promise<{ right: number; down: number }> {
  const planes = ['-frames:v', '1', '-pix_fmt', 'yuv420p10le', '-f', 'rawvideo', '-'];
  const raw = await bareFfmpegOutput(['-i', path, ...planes]);
  const columns = width / 2;
  const red = new Uint16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length)).slice(
    width * width * 1.25,
  );
  // Below a quarter of the height of the patch is the noise of the encoder.
  const floor = ((red[0] ?? 0) * 3 + Math.max(...red)) / 4;
  let [sum, x, y] = [0, 0, 0];
  red.forEach((value, index) => {
    const weight = Math.max(0, value - floor);
    sum += weight;
    x += weight * (index % columns);
    y += weight * Math.floor(index / columns);
  });
  const middle = (width - 1) / 4;
  return {
    right: x / sum + (location === 'center' ? 0.25 : 0) - middle,
    down: y / sum + (location === 'topleft' ? 0 : 0.25) - middle,
  };
}
