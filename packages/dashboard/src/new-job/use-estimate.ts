import { ApiError, type Client, sleep } from '@media-jobs/client';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { labelFromName } from '../format/labels.ts';
import type { Draft } from './draft.ts';
import { type EstimateRequest, estimateRequest } from './estimate-request.ts';
import type { KnownSource } from './original-media.ts';
import type { Source } from './source.ts';
import { estimatedSource, type MeasuredMedia } from './source-media.ts';

/** The pause in typing after which an estimate is requested. */
const pauseMs = 500;

/** Estimates a draft while it is edited. A newer draft aborts the request for an older one. */
export function useEstimate(draft: Draft, { isReady, known }: { isReady: boolean; known: KnownSource | undefined }) {
  const { client } = useApi();
  const hasAudio = draft.sources.some((source) => source instanceof File && source.type.startsWith('audio/'));
  const { media, isMeasuring } = useMeasuredSources(draft.sources, known);
  const source = estimatedSource(draft, media);
  const isEnabled = isReady && !isMeasuring && !hasAudio;
  const body = isEnabled ? estimateRequest(draft, source.media) : undefined;
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['estimate', body],
    queryFn: body === undefined ? skipToken : ({ signal }) => estimateAfterPause({ client, body, signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  return {
    source,
    hasAudio,
    estimate: isReady && !hasAudio ? data : undefined,
    isOutdated: isPlaceholderData,
    problem: error === null ? undefined : estimateProblem(error),
  };
}

type EstimateOptions = { client: Pick<Client, 'estimateJob'>; body: EstimateRequest; signal: AbortSignal };

/** Sends no request if the signal is aborted within the pause. */
export async function estimateAfterPause({ client, body, signal }: EstimateOptions) {
  await sleep(pauseMs, signal);
  return client.estimateJob({ body, signal });
}

/** Why there is no estimate. The form shows all errors of a request when it is sent. */
export function estimateProblem(error: Error): string {
  const details = error instanceof ApiError ? (error.details ?? []) : [];
  const ofSource = details.find(({ path }) => path === 'media' || path.startsWith('media.'));
  if (ofSource !== undefined) return `Such a job would be rejected. ${ofSource.message}`;
  const [first] = details;
  if (first === undefined) return 'The estimate is not available.';
  return `The request is not valid yet. ${labelFromName(first.path.split('.').at(-1) ?? '')}: ${first.message}`;
}

/** Files are measured in the browser. Of a URL nothing is known, unless it is the source of the job to duplicate. */
function useMeasuredSources(sources: readonly Source[], known: KnownSource | undefined) {
  const files = sources.filter((source) => source instanceof File);
  const { data, isLoading } = useQuery({
    queryKey: ['measured-files', ...files.map(({ name, size, lastModified }) => [name, size, lastModified])],
    queryFn: async ({ signal }) => Promise.all(files.map(async (file) => (await measureFile(file, signal)) ?? null)),
    enabled: files.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const measured = files.length === 0 ? [] : (data ?? []);
  const media = sources.map((source) => {
    if (source instanceof File) return measured[files.indexOf(source)] ?? undefined;
    return source === known?.source ? known.media : undefined;
  });
  return { media, isMeasuring: isLoading };
}

/** Without metadata until then, a file counts as unreadable. */
const timeoutMs = 10_000;

/**
 * Reads the properties of a local file with the browser's decoder, without uploading it. Undefined for a file that the
 * browser cannot read.
 */
async function measureFile(file: File, signal: AbortSignal): Promise<MeasuredMedia | undefined> {
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
