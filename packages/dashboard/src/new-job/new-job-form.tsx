import { NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import type { JobResource } from '@media-jobs/core/api';
import { speeds } from '@media-jobs/video/encoding';
import { type FormEvent, useEffect, useRef } from 'react';
import { RequestCode } from '../job/request-code.tsx';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { Advanced } from './advanced.tsx';
import { type Draft, inputCountRange } from './draft.ts';
import { draftToRequest, filesToUpload } from './draft-to-request.ts';
import { EarlierSteps } from './earlier-steps.tsx';
import { Estimate } from './estimate.tsx';
import type { SectionProps } from './field-props.ts';
import { FurtherOutputs } from './further-outputs.tsx';
import { KeepFiles } from './keep-files.tsx';
import { LastStep } from './last-step.tsx';
import { MetadataField } from './metadata-field.tsx';
import { MultiSourceInput } from './multi-source-input.tsx';
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
      <Stack gap="lg" inert={submit.isPending} className={classes.fields}>
        <PresetSection recipes={recipes} draft={draft} problems={problems} onChange={change} />
        <Source draft={draft} known={known} problems={problems} onChange={change} />
        {draft.preset === undefined ? (
          <>
            <EarlierSteps recipes={recipes} draft={draft} problems={problems} onChange={change} />
            <LastStep recipes={recipes} draft={draft} known={known} problems={problems} onChange={change} />
            <FurtherOutputs recipes={recipes} draft={draft} problems={problems} onChange={change} />
          </>
        ) : null}
        <JobOptions draft={draft} problems={problems} onChange={change} />
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
          {unreadyReason(missing, problems)}
        </Note>
        <Estimate draft={draft} isReady={isReady} known={known} />
        <RequestCode title="Request preview" request={draftToRequest(draft) as JobResource['request']} />
      </Stack>
    </form>
  );
}

/** What to do before the request can be sent; empty if nothing. */
function unreadyReason(missing: readonly string[], problems: Record<string, string>): string {
  if (missing.length > 0) return `Missing: ${missing.join(', ')}`;
  return Object.keys(problems).length > 0 ? 'Correct the fields that are marked.' : '';
}

function Source({ draft, known, problems, onChange }: SectionProps & Pick<Props, 'known'>) {
  const { recipe, sources, preset } = draft;
  const { min, max } = preset === undefined ? inputCountRange(recipe) : { min: 1, max: 1 };
  if (max > 1) {
    return (
      <Section title="Sources">
        <MultiSourceInput
          sources={sources}
          minSources={min}
          maxSources={max}
          errorOf={(index) => inputProblem(problems, `inputs.${index}`)}
          onChange={(next) => onChange({ sources: next })}
        />
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

/** The problem of an input, whichever of its fields has it. */
function inputProblem(problems: Record<string, string>, path: string): string | undefined {
  return problems[`${path}.url`] ?? problems[`${path}.key`] ?? problems[`${path}.storageProviderId`];
}

/** What a preset decides. */
function Files({ draft: { storage, keepDays }, problems, onChange }: SectionProps) {
  return (
    <>
      <OutputStorage storage={storage} problems={problems} onChange={(next) => onChange({ storage: next })} />
      <KeepFiles value={keepDays} error={problems.keepDays} onChange={(next) => onChange({ keepDays: next })} />
    </>
  );
}

const jobOptions = ['speed', 'finishBy', 'priority', 'maxCostUsd', 'webhookUrl', 'metadata'] as const;

function JobOptions({ draft, problems, onChange }: SectionProps) {
  const { webhookUrl, speed, priority, maxCostUsd } = draft;
  return (
    <Section title="Job options">
      <Stack gap="md">
        {draft.preset === undefined ? <Files draft={draft} problems={problems} onChange={onChange} /> : null}
        <Advanced
          title="Speed, cost, webhook and metadata"
          isSet={jobOptions.some((name) => (draft[name] ?? '') !== '' || problems[name] !== undefined)}
        >
          <Stack gap="md">
            <NativeSelect
              label="Speed"
              description={speedTexts[speed ?? 'default']}
              value={speed ?? 'default'}
              data={speedChoices}
              error={problems.speed ?? problems.finishBy}
              onChange={({ currentTarget }) =>
                onChange({ speed: speeds.find((each) => each === currentTarget.value), finishBy: undefined })
              }
            />
            <NativeSelect
              label="Priority"
              description="Of your waiting jobs, the one with the highest number starts first."
              value={String(priority ?? '')}
              data={priorityChoices}
              error={problems.priority}
              onChange={({ currentTarget: { value } }) =>
                onChange({ priority: value === '' ? undefined : Number(value) })
              }
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
              value={webhookUrl}
              error={problems.webhookUrl}
              onChange={({ currentTarget }) => onChange({ webhookUrl: currentTarget.value })}
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
