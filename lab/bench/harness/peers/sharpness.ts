import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The sharpness of an image, at a width and a height: the variance of the Laplacian of its luma. */
export async function sharpness(
  ffmpeg: string,
  path: string,
  { width, height }: { width: number; height: number },
): Promise<number> {
  const filters = `scale=${width}:${height}:flags=area,format=gray`;
  const args = ['-v', 'error', '-nostdin', '-i', path, '-vf', filters, '-frames:v', '1', '-f', 'rawvideo', '-'];
  const { stdout: luma } = await promisify(execFile)(ffmpeg, args, { encoding: 'buffer', maxBuffer: 2 ** 26 });
  const at = (x: number, y: number) => luma[y * width + x] ?? 0;
  let [sum, squares, count] = [0, 0, 0];
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const value = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y);
      [sum, squares, count] = [sum + value, squares + value * value, count + 1];
    }
  return squares / count - (sum / count) ** 2;
}
