import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { OperationRequest } from '../../client/operation.ts';
import { useApi } from '../api/api-context.tsx';
import { rememberUploadedFile } from '../job/uploaded-files.ts';
import { setCachedJob } from '../job/use-job.ts';
import { type Draft, draftToRequest, filesToUpload } from './draft.ts';
import { displayUrl } from './source.ts';
import { uploadFile } from './upload-file.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

type NewJobRequest = OperationRequest<'createJob'>['body'];

/** Uploads the draft's files where it has any, makes the job, and goes there. */
export function useSubmitJob() {
  const { client } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [progress, setProgress] = useState<number>();
  const abort = useRef<AbortController>(null);
  // A request that was refused does not send its files twice.
  const uploaded = useRef(new Map<File, string>());

  const bringFiles = async (files: readonly File[], signal: AbortSignal) => {
    const waiting = files.filter((file) => !uploaded.current.has(file));
    const total = waiting.reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    for (const file of waiting) {
      const onProgress = (share: number) => setProgress((done + share * file.size) / Math.max(1, total));
      onProgress(0);
      const inputUrl = await uploadFile({ client, file, signal, onProgress });
      uploaded.current.set(file, inputUrl);
      rememberUploadedFile(inputUrl, file);
      done += file.size;
    }
    setProgress(undefined);
  };

  const submit = useMutation({
    mutationFn: async ({ draft, idempotencyKey }: { draft: Draft; idempotencyKey: string }) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      await bringFiles(filesToUpload(draft), signal);
      const body = draftToRequest(draft, (source) =>
        source instanceof File ? (uploaded.current.get(source) ?? '') : displayUrl(source),
      );
      return client.createJob({
        body: body as NewJobRequest,
        headers: { 'idempotency-key': idempotencyKey },
      });
    },
    onSuccess: async (job) => {
      await setCachedJob(queries, job);
      void queries.invalidateQueries({ queryKey: ['new-jobs'] });
      void queries.invalidateQueries({ queryKey: ['jobs'], refetchType: 'none' });
      await navigate({ to: '/jobs/$jobId', params: { jobId: job.jobId } });
    },
    onSettled: () => setProgress(undefined),
  });
  const cancel = () => abort.current?.abort(new Error('The upload was cancelled.'));
  useLeaveGuard(progress !== undefined, {
    question: 'The upload is not done. Leave, and give it up?',
    cancel,
  });
  return { submit, progress, cancel };
}
