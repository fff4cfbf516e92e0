import type { MeasuredMedia } from './source-media.ts';

/** Without metadata until then, a file counts as unreadable. */
const timeoutMs = 10_000;

/**
 * Reads the properties of a local file with the browser's decoder, without uploading it. Undefined for a file that the
 * browser cannot read.
 */
export async function measureFile(file: File, signal: AbortSignal): Promise<MeasuredMedia | undefined> {
  // An animated GIF is a video to the service, and a still image to the browser.
  if (file.type === 'image/gif' || file.size === 0) return undefined;
  const url = URL.createObjectURL(file);
  try {
    const media = file.type.startsWith('image/')
      ? await measureImage(url)
      : await measureVideo(url, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    return media && { ...media, sizeBytes: file.size };
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function measureImage(url: string): Promise<MeasuredMedia | undefined> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    return undefined;
  }
  return { width: image.naturalWidth, height: image.naturalHeight };
}

function measureVideo(url: string, signal: AbortSignal): Promise<MeasuredMedia | undefined> {
  const { promise, resolve } = Promise.withResolvers<MeasuredMedia | undefined>();
  const video = document.createElement('video');
  video.preload = 'metadata';
  video.onloadedmetadata = () => {
    const { duration, videoWidth: width, videoHeight: height } = video;
    if (!Number.isFinite(duration) || duration <= 0) resolve(undefined);
    else resolve({ durationSeconds: duration, ...(width > 0 && height > 0 ? { width, height } : {}) });
  };
  video.onerror = () => resolve(undefined);
  signal.addEventListener('abort', () => resolve(undefined), { once: true });
  video.src = url;
  // Frees the decoder.
  return promise.finally(() => video.removeAttribute('src'));
}
