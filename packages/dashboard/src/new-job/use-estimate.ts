import type { Client } from '@media-jobs/client';
import { ApiError, sleep } from '@media-jobs/client';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { labelFromName } from '../format/labels.ts';
import type { Draft } from './draft.ts';
import { type EstimateRequest, estimateRequest } from './estimate-request.ts';
import { measureFile } from './measure-file.ts';
import type { KnownSource } from './original-media.ts';
import type { Source } from './source.ts';
import { estimatedSource } from './source-media.ts';

/** The pause in typing after which an estimate is requested. */
const pauseMs = 500;

type DraftState = { isReady: boolean; known: KnownSource | undefined };

/** Estimates a draft while it is edited. A newer draft aborts the request for an older one. */
export function useEstimate(draft: Draft, { isReady, known }: DraftState) {
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
