import { execFile } from 'node:child_process';
import { join, parse } from 'node:path';
import { promisify } from 'node:util';
import { generatedClipArguments, generatedClips, generateStill } from '../../../quality/generated-clips.ts';

const seconds = 2;
const size = { width: 640, height: 360 };
const lossless = ['-an', '-sn', '-c:v', 'ffv1', '-pix_fmt', 'yuv420p'];

/** Sources that no camera makes: the picture of a phone that stands upright, and a screen. */
const drawn = {
  phone: 'mandelbrot=size=360x640:rate=30:maxiter=300,noise=alls=8:all_seed=5:allf=t',
  screen: 'testsrc2=size=640x360:rate=30',
};

/** Writes clips without loss: generated ones, and two seconds from the middle of videos, at most 640 pixels wide. */
export async function losslessClips(ffmpeg: string, directory: string, videos: readonly string[]): Promise<string[]> {
  const still = await generateStill(directory);
  const made = generatedClips.map((clip) => ({
    name: clip,
    args: generatedClipArguments(clip, { still, seconds, size }),
  }));
  const drawings = Object.entries(drawn).map(([name, graph]) => ({
    name,
    args: ['-f', 'lavfi', '-t', `${seconds}`, '-i', graph],
  }));
  const own = videos.map((path) => ({
    name: parse(path).name,
    args: ['-ss', '1', '-i', path, '-t', `${seconds}`, '-vf', "scale='min(640,iw)':-2:flags=bicubic"],
  }));
  const paths: string[] = [];
  for (const { name, args } of [...made, ...drawings, ...own]) {
    const path = join(directory, `${name}.mkv`);
    const written = promisify(execFile)(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args, ...lossless, path]);
    // A directory may have files without video, which make no clip.
    if (own.some((video) => video.name === name) ? await written.catch(() => undefined) : await written)
      paths.push(path);
  }
  return paths;
}
