import type { Probe } from './probe.ts';

/** Whether ffmpeg reads files of this container as one picture. */
export function isImageContainer(container: string): boolean {
  return /_pipe$|^image2$/.test(container);
}

/** Whether it is an animated WebP: nothing else is read as one picture and lasts. */
export function isAnimatedWebp({ container, durationSeconds }: Probe): boolean {
  return isImageContainer(container) && durationSeconds !== undefined;
}
