import { NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { speeds } from '@media-jobs/video/encoding';
import { type FormEvent, useEffect, useRef } from 'react';
import { RequestCode } from '../job/request-code.tsx';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { typed } from '../ui/typed.ts';
import { Advanced } from './advanced.tsx';
import { acceptsMultipleInputs, type Draft } from './draft.ts';
import { draftToRequest, filesToUpload } from './draft-to-request.ts';
import { EarlierSteps } from './earlier-steps.tsx';
import { Estimate } from './estimate.tsx';
import type { SectionProps } from './field-props.ts';
import { FurtherOutputs } from './further-outputs.tsx';
import { KeepFiles } from './keep-files.tsx';
import { LastStep } from './last-step.tsx';
import { MetadataField } from './metadata-field.tsx';
import { inputProblem, MultiSourceInput } from './multi-source-input.tsx';
import classes from './new-job.module.css';
import type { KnownSource } from './original-media.ts';
import { OutputStorage } from './output-storage.tsx';
import { PresetSection } from './preset-section.tsx';
import { SourceInput } from './source-input.tsx';
import { hasHandles, SourcePreview } from './source-preview.tsx';
import { SubmitStatus } from './submit-status.tsx';
import { useDraft } from './use-draft.ts';
import { useSubmitJob } from './use-submit-job.ts';

type Props = {
  recipes: readonly RecipeDescription[];
  initialDraft: Draft;
  duplicateOf: string | undefined;
  /** The source of the job to duplicate. */
  known: KnownSource | undefined;
};

/** The form for a new job, with a preview of its request. */
export function NewJobForm({ recipes, known, ...props }: Props) {
  const { draft, change, problems, missing, isValid, ...request } = useDraft({ recipes, ...props });
  const { generalProblem, isCancelled, idempotencyKey, showRequestError, hasRejectedFields } = request;
  const { submit, progress, cancel } = useSubmitJob();
  const form = useRef<HTMLFormElement>(null);
  const isReady = missing.length === 0 && isValid;
  const hasProblems = Object.keys(problems).length > 0;
  const section = { recipes, draft, problems, onChange: change };
  // The fields cannot have the focus before the request has ended.
  const isRejected = submit.isError && hasRejectedFields;
  useEffect(() => {
    if (isRejected) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [isRejected]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !submit.isPending) submit.mutate({ draft, idempotencyKey }, { onError: showRequestError });
  };
  return (
    <form ref={form} onSubmit={send} noValidate className="columns">
      <Stack gap="lg" inert={submit.isPending} opacity={submit.isPending ? 0.6 : 1}>
        <PresetSection {...section} />
        <Source {...section} known={known} />
        {draft.preset === undefined ? (
          <>
            <EarlierSteps {...section} />
            <LastStep {...section} known={known} />
            <FurtherOutputs {...section} />
          </>
        ) : null}
        <JobOptions {...section} />
      </Stack>
      <Stack gap="md" className={classes.preview}>
        <SubmitStatus
          progress={progress}
          isPending={submit.isPending}
          problem={generalProblem}
          isCancelled={isCancelled}
          onCancel={cancel}
        />
        <ActionButton type="submit" size="md" disabled={!isReady} isBusy={submit.isPending}>
          {filesToUpload(draft).length === 0 ? 'Create job' : 'Upload and create job'}
        </ActionButton>
        <Note role="status" mih={22}>
          {missing.length > 0 ? `Missing: ${missing.join(', ')}` : hasProblems && 'Correct the fields that are marked.'}
        </Note>
        <Estimate draft={draft} isReady={isReady} known={known} />
        <RequestCode title="Request preview" request={draftToRequest(draft)} />
      </Stack>
    </form>
  );
}

function Source({ known, ...section }: SectionProps & Pick<Props, 'known'>) {
  const { draft, problems, onChange } = section;
  const { recipe, sources, preset } = draft;
  if (preset === undefined && acceptsMultipleInputs(recipe)) {
    return (
      <Section title="Sources">
        <MultiSourceInput {...section} />
      </Section>
    );
  }
  return (
    <Section title="Source">
      <SourceInput
        value={sources[0] ?? ''}
        error={inputProblem(problems, 'input')}
        onChange={(source) => onChange({ sources: [source] })}
      />
      {hasHandles(draft) ? null : <SourcePreview draft={draft} known={known} onChange={onChange} />}
    </Section>
  );
}

const speedTexts = {
  default: 'The default of this service.',
  standard: 'A video that would take long is encoded in parallel chunks.',
  fast: 'Every video that is long enough is encoded in parallel chunks.',
  economy: 'The job may wait for cheap capacity. It costs at most a third of the standard price.',
} as const;

const speedChoices = ['default', ...speeds].map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

const priorityChoices = [
  { value: '', label: 'Normal (5)' },
  ...[9, 8, 7, 6, 4, 3, 2, 1, 0].map((each) => ({
    value: String(each),
    label: each === 9 ? '9: first' : each === 0 ? '0: last' : String(each),
  })),
];

const jobOptions = ['speed', 'finishBy', 'priority', 'maxCostUsd', 'webhookUrl', 'metadata'] as const;

function JobOptions(section: SectionProps) {
  const { draft, problems, onChange } = section;
  const { webhookUrl, speed, priority, maxCostUsd, keepDays } = draft;
  return (
    <Section title="Job options">
      <Stack gap="md">
        {/* A preset decides on the files. */}
        {draft.preset === undefined ? (
          <>
            <OutputStorage {...section} />
            <KeepFiles value={keepDays} error={problems.keepDays} onChange={(next) => onChange({ keepDays: next })} />
          </>
        ) : null}
        <Advanced
          title="Speed, cost, webhook and metadata"
          isSet={jobOptions.some((name) => (draft[name] ?? '') !== '' || problems[name] !== undefined)}
        >
          <Stack gap="md">
            <NativeSelect
              label="Speed"
              description={speedTexts[speed ?? 'default']}
              data={speedChoices}
              error={problems.speed ?? problems.finishBy}
              {...typed(speed ?? 'default', (text) =>
                onChange({ speed: speeds.find((each) => each === text), finishBy: undefined }),
              )}
            />
            <NativeSelect
              label="Priority"
              description="Of your waiting jobs, the one with the highest number starts first."
              data={priorityChoices}
              error={problems.priority}
              {...typed(String(priority ?? ''), (text) =>
                onChange({ priority: text === '' ? undefined : Number(text) }),
              )}
            />
            <NumberInput
              label="Maximum cost in dollars"
              description="A job with a higher estimate is rejected. A job that reaches this cost is stopped."
              placeholder="No maximum"
              prefix="$"
              min={0}
              clampBehavior="none"
              value={maxCostUsd ?? ''}
              error={problems.maxCostUsd}
              onChange={(next) => onChange({ maxCostUsd: next === '' ? undefined : Number(next) })}
            />
            <TextInput
              type="url"
              label="Webhook URL"
              description="Receives a POST when the job ends. Leave empty to use the default from the settings."
              placeholder="https://example.com/hooks/media"
              error={problems.webhookUrl}
              {...typed(webhookUrl, (text) => onChange({ webhookUrl: text }))}
            />
            <MetadataField
              value={draft.metadata}
              error={problems.metadata}
              onChange={(metadata) => onChange({ metadata })}
            />
          </Stack>
        </Advanced>
      </Stack>
    </Section>
  );
}
