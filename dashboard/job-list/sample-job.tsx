import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Clapperboard } from 'lucide-react';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { newDraft } from '../new-job/draft.ts';
import { SubmitStatus } from '../new-job/submit-status.tsx';
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
        problem={run.error?.message}
        onCancel={cancel}
      />
    </>
  );
}
