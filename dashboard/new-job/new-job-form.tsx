import { Button, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { JobRequest } from '../job/request-viewer.tsx';
import { Section } from '../ui/section.tsx';
import {
  type Draft,
  draftToRequest,
  filesToUpload,
  inputCountRange,
  type RecipeDescription,
} from './draft.ts';
import { EarlierSteps } from './earlier-steps.tsx';
import { LastStep } from './last-step.tsx';
import { MultiSourceInput } from './multi-source-input.tsx';
import classes from './new-job.module.css';
import { SourceInput } from './source-input.tsx';
import { SubmitStatus } from './submit-status.tsx';
import { useDraft } from './use-draft.ts';
import { useSubmitJob } from './use-submit-job.ts';

type Props = { recipes: readonly RecipeDescription[]; first: Draft };

/** Puts a job together and shows the request that it will be. */
export function NewJobForm({ recipes, first }: Props) {
  const { draft, change, problems, problem, needs, isValid, idempotencyKey, refused } = useDraft(first);
  const { submit, progress, cancel } = useSubmitJob();
  const isReady = needs.length === 0 && isValid;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !submit.isPending) submit.mutate({ draft, idempotencyKey }, { onError: refused });
  };
  return (
    <form onSubmit={send} noValidate className={classes.columns}>
      <Stack gap="lg" inert={submit.isPending} className={classes.fields}>
        <Source draft={draft} problems={problems} onChange={change} />
        <EarlierSteps recipes={recipes} draft={draft} problems={problems} onChange={change} />
        <LastStep recipes={recipes} draft={draft} problems={problems} onChange={change} />
        <Output draft={draft} problems={problems} onChange={change} />
      </Stack>
      <Stack gap="md" className={classes.preview}>
        <JobRequest title="What will be sent" request={draftToRequest(draft) as JobResource['request']} />
        <SubmitStatus progress={progress} isPending={submit.isPending} problem={problem} onCancel={cancel} />
        <Button type="submit" size="md" disabled={!isReady} loading={submit.isPending}>
          {filesToUpload(draft).length === 0 ? 'Create job' : 'Upload and create job'}
        </Button>
        <Text size="sm" c="dimmed" role="status" mih={22}>
          {needs.length === 0 ? '' : `Still needed: ${needs.join(', ')}`}
        </Text>
      </Stack>
    </form>
  );
}

type PartProps = {
  draft: Draft;
  problems: Record<string, string>;
  onChange: (changes: Partial<Draft>) => void;
};

function Source({ draft: { recipe, sources }, problems, onChange }: PartProps) {
  const { least, most } = inputCountRange(recipe);
  if (most > 1) {
    return (
      <Section title="Sources">
        <MultiSourceInput
          sources={sources}
          least={least}
          most={most}
          errorOf={(index) => problems[`inputs.${index}.url`]}
          onChange={(next) => onChange({ sources: next })}
        />
      </Section>
    );
  }
  return (
    <Section title="Source">
      <SourceInput
        source={sources[0] ?? ''}
        error={problems['input.url']}
        onChange={(source) => onChange({ sources: [source] })}
      />
    </Section>
  );
}

function Output({ draft: { recipe, format, webhookUrl, speed }, problems, onChange }: PartProps) {
  return (
    <Section title="Output">
      <Stack gap="md">
        <NativeSelect
          label="Format"
          value={format}
          data={recipe.outputFormats}
          error={problems['output.format']}
          onChange={({ currentTarget }) => onChange({ format: currentTarget.value })}
        />
        <Switch
          label="Urgent"
          description="A long video is encoded in chunks side by side, wherever that makes the same file."
          checked={speed === 'fast'}
          onChange={({ currentTarget }) => onChange({ speed: currentTarget.checked ? 'fast' : undefined })}
        />
        <TextInput
          type="url"
          label="Webhook URL"
          description="Who is told when the job ends; where left out, the default of the settings."
          placeholder="https://example.com/hooks/media"
          value={webhookUrl}
          error={problems.webhookUrl}
          onChange={({ currentTarget }) => onChange({ webhookUrl: currentTarget.value })}
        />
      </Stack>
    </Section>
  );
}
