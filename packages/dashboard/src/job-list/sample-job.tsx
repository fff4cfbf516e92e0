import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Clapperboard } from 'lucide-react';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { newDraft } from '../new-job/draft.ts';
import { SubmitStatus } from '../new-job/submit-status.tsx';
import { UploadCancelled } from '../new-job/upload-cancelled.ts';
import { useSubmitJob } from '../new-job/use-submit-job.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { recordSampleVideo } from './sample-video.ts';

/** Runs a recipe, undefined until it is loaded, on a clip that the browser records: a first job by one click. */
export function SampleJob({ recipe }: { recipe: RecipeDescription | undefined }) {
  const { submit, progress, cancel } = useSubmitJob();
  const run = useMutation({
    mutationFn: async (loaded: RecipeDescription) => {
      const draft = { ...newDraft(loaded), sources: [await recordSampleVideo()] };
      return submit.mutateAsync({ draft, idempotencyKey: crypto.randomUUID() });
    },
  });
  const isCancelled = run.error instanceof UploadCancelled;
  return (
    <>
      <ActionButton
        leftSection={<Clapperboard size={16} aria-hidden />}
        isBusy={run.isPending}
        disabled={recipe === undefined}
        onClick={() => recipe && run.mutate(recipe)}
      >
        Try it with a sample video
      </ActionButton>
      {run.isPending && progress === undefined ? (
        <Text size="sm" c="dimmed" role="status">
          Your browser records a clip of two seconds…
        </Text>
      ) : null}
      <SubmitStatus
        progress={progress}
        isPending={run.isPending}
        problem={isCancelled ? undefined : run.error?.message}
        isCancelled={isCancelled}
        onCancel={cancel}
      />
    </>
  );
}
