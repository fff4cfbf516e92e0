import { Button, Checkbox, Group } from '@mantine/core';
import type { JobResource } from '@media-jobs/core/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ban, CopyPlus, Download, RotateCcw, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { retryJob } from '../job/retry-job.ts';
import { isUnfinished, jobQueryKey, setCachedJob } from '../job/use-job.ts';
import { ActionButton, notifyFailure, SmallAction } from '../ui/action-button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import classes from './job-page.module.css';

export function JobActions({ job }: { job: JobResource }) {
  const actions = useRef<HTMLDivElement>(null);
  // The Cancel button disappears: the Tab key continues at the first action that is left.
  const onCancelled = () => actions.current?.focus({ preventScroll: true });
  const { cancel, retry, remove } = useJobActions(job.jobId, onCancelled);
  // The same request fails again: a changed copy of it may not.
  const isPermanent = job.error?.retryable === false;
  return (
    <Group
      ref={actions}
      gap={8}
      className={classes.actions}
      role="group"
      aria-label="Actions for this job"
      tabIndex={-1}
    >
      {isUnfinished(job) ? <SmallAction label="Cancel" icon={<Ban size={14} aria-hidden />} action={cancel} /> : null}
      {job.state === 'failed' || job.state === 'rejected' || job.state === 'cancelled' ? (
        <ActionButton
          variant={isPermanent ? 'default' : 'filled'}
          size="xs"
          leftSection={<RotateCcw size={14} aria-hidden />}
          isBusy={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Retry
        </ActionButton>
      ) : null}
      {job.output === undefined ? null : (
        <Button component="a" href={job.output.signedUrl} size="xs" leftSection={<Download size={14} aria-hidden />}>
          Download
        </Button>
      )}
      <Button
        renderRoot={(props) => <Link to="/new" search={{ duplicateOf: job.jobId }} {...props} />}
        variant={isPermanent ? 'filled' : 'default'}
        size="xs"
        leftSection={<CopyPlus size={14} aria-hidden />}
      >
        Duplicate
      </Button>
      {isUnfinished(job) ? null : <DeleteJob isAtProvider={hasFilesAtProvider(job)} remove={remove} />}
    </Group>
  );
}

type DeleteJobProps = {
  /** Whether the files are at a storage provider, where they stay unless they are to be deleted too. */
  isAtProvider: boolean;
  remove: { isPending: boolean; mutate: (files: 'true' | undefined) => void };
};

function DeleteJob({ isAtProvider, remove }: DeleteJobProps) {
  const [alsoFiles, setAlsoFiles] = useState(false);
  const consequence = isAtProvider
    ? 'This deletes the job, and its download links stop working. Its files at the storage provider stay unless you delete them too. You cannot undo this.'
    : 'This deletes the job and its files, and its download links stop working. You cannot undo this.';
  return (
    <ConfirmButton
      label="Delete"
      icon={<Trash2 size={14} aria-hidden />}
      question="Delete this job?"
      consequence={consequence}
      confirm="Delete job"
      action={{ isPending: remove.isPending, mutate: () => remove.mutate(alsoFiles ? 'true' : undefined) }}
    >
      {isAtProvider ? (
        <Checkbox
          mt="md"
          label="Also delete the files at the storage provider"
          checked={alsoFiles}
          onChange={(event) => setAlsoFiles(event.currentTarget.checked)}
        />
      ) : null}
    </ConfirmButton>
  );
}

function hasFilesAtProvider({ output_files: files = {} }: JobResource): boolean {
  return Object.values(files).some((file) => file.storage_provider_id !== undefined);
}

function useJobActions(jobId: string, onCancelled: () => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { id: jobId };
  const cancel = useMutation({
    mutationFn: () => client.cancelJob({ params }),
    onSuccess: async (job) => {
      await setCachedJob(queries, job);
      onCancelled();
    },
    onError: notifyFailure('Could not cancel the job'),
  });
  const retry = useMutation({
    mutationFn: () => retryJob(client, jobId, () => crypto.randomUUID()),
    onSuccess: async (job) => {
      await setCachedJob(queries, job);
      void navigate({ to: '/jobs/$jobId', params: { jobId: job.jobId } });
    },
    onError: notifyFailure('Could not retry the job'),
  });
  const remove = useMutation({
    mutationFn: (files: 'true' | undefined) => client.deleteJob({ params, query: files ? { files } : {} }),
    onSuccess: async () => {
      await navigate({ to: '/jobs' });
      queries.removeQueries({ queryKey: jobQueryKey(jobId) });
      await queries.resetQueries({ queryKey: ['jobs'] });
    },
    onError: notifyFailure('Could not delete the job'),
  });
  return { cancel, retry, remove };
}
