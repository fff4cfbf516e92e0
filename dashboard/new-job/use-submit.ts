import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { jobKey } from '../jobs/use-job.ts';
import { type Draft, requestOf } from './draft.ts';
import { rememberDropped } from './dropped-files.ts';
import { uploadFile } from './upload-file.ts';

/** Uploads the draft's file where it has one, makes the job, and goes there. */
export function useSubmit() {
  const { client } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [progress, setProgress] = useState<number>();
  const abort = useRef<AbortController>(null);
  const uploaded = useRef<{ file: File; inputUrl: string }>(null);

  const bringFile = async (file: File, signal: AbortSignal): Promise<string> => {
    // A request that was refused does not send its file twice.
    if (uploaded.current?.file === file) return uploaded.current.inputUrl;
    setProgress(0);
    const inputUrl = await uploadFile({ client, file, signal, onProgress: setProgress });
    uploaded.current = { file, inputUrl };
    rememberDropped(inputUrl, file);
    return inputUrl;
  };

  const submit = useMutation({
    mutationFn: async ({ draft, idempotencyKey }: { draft: Draft; idempotencyKey: string }) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      const { file, url } = draft;
      const inputUrl = file === undefined ? url.trim() : await bringFile(file, signal);
      const headers = { 'idempotency-key': idempotencyKey };
      return client.createJob({ body: requestOf(draft, inputUrl), headers, signal });
    },
    onSuccess: async (job) => {
      queries.setQueryData(jobKey(job.jobId), job);
      void queries.invalidateQueries({ queryKey: ['new-jobs'] });
      void queries.invalidateQueries({ queryKey: ['jobs'], refetchType: 'none' });
      await navigate({ to: '/jobs/$jobId', params: { jobId: job.jobId } });
    },
    onSettled: () => setProgress(undefined),
  });
  return { submit, progress, cancel: () => abort.current?.abort(new Error('The upload was cancelled.')) };
}
