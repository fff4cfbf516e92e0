import type { OperationRequest } from '@media-jobs/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { feedKey, setCachedJob } from '../job/use-job.ts';
import type { Draft } from './draft.ts';
import { draftToRequest, filesToUpload } from './draft-to-request.ts';
import { displayUrl } from './source.ts';
import { UploadCancelled, uploadFile } from './upload-file.ts';

/** Uploads the files of a draft, creates the job and opens its page. */
export function useSubmitJob() {
  const { client } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [progress, setProgress] = useState<number>();
  const abort = useRef<AbortController>(null);
  // Files stay uploaded after a rejected request, so that another try does not send them again.
  const uploaded = useRef(new Map<File, string>());

  const uploadFiles = async (files: readonly File[], signal: AbortSignal) => {
    const pending = files.filter((file) => !uploaded.current.has(file));
    const totalBytes = pending.reduce((sum, { size }) => sum + size, 0);
    let uploadedBytes = 0;
    for (const file of pending) {
      const onProgress = (share: number) => setProgress((uploadedBytes + share * file.size) / Math.max(1, totalBytes));
      onProgress(0);
      const inputUrl = await uploadFile({ client, file, signal, onProgress });
      uploaded.current.set(file, inputUrl);
      uploadedBytes += file.size;
    }
    setProgress(undefined);
  };

  const submit = useMutation({
    mutationFn: async ({ draft, idempotencyKey }: { draft: Draft; idempotencyKey: string }) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      await uploadFiles(filesToUpload(draft), signal);
      const body = draftToRequest(draft, (source) =>
        source instanceof File ? (uploaded.current.get(source) ?? '') : displayUrl(source),
      );
      return client.createJob({
        body: body as OperationRequest<'createJob'>['body'],
        headers: { 'idempotency-key': idempotencyKey },
      });
    },
    onSuccess: async (job) => {
      await setCachedJob(queries, job);
      void queries.invalidateQueries({ queryKey: [feedKey] });
      void queries.invalidateQueries({ queryKey: ['jobs'], refetchType: 'none' });
      await navigate({ to: '/jobs/$jobId', params: { jobId: job.jobId } });
    },
    onSettled: () => setProgress(undefined),
  });
  const cancel = () => abort.current?.abort(new UploadCancelled('Upload cancelled.'));
  useBlocker({
    shouldBlockFn: () => !window.confirm('The upload is still in progress. Leave and cancel it?'),
    enableBeforeUnload: true,
    disabled: progress === undefined,
  });
  useEffect(() => () => abort.current?.abort(new UploadCancelled('Upload cancelled.')), []);
  return { submit, progress, cancel };
}
