import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import { JobRequest } from '../job/job-request.tsx';
import { Section } from '../shell/section.tsx';
import { checkParameters } from './check-parameters.ts';
import { type Draft, inputOf, newDraft, type RecipeDescription, requestOf, withRecipe } from './draft.ts';
import classes from './new-job.module.css';
import { parametersOf } from './parameter.ts';
import { ParameterField } from './parameter-field.tsx';
import { RecipePicker } from './recipe-picker.tsx';
import { problemsOf, type RequestProblems } from './request-problems.ts';
import { SourceInput } from './source-input.tsx';
import { SubmitState } from './submit-state.tsx';
import { useSubmit } from './use-submit.ts';

type Props = { recipes: readonly RecipeDescription[]; first: RecipeDescription };

/** Puts a job together and shows the request that it will be. */
export function NewJobForm({ recipes, first }: Props) {
  const [draft, setDraft] = useState(() => newDraft(first));
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const [refusal, setRefusal] = useState<RequestProblems>({ fields: {} });
  const { submit, progress, cancel } = useSubmit();
  const wrong = useMemo(() => checkParameters(draft.recipe.parameters, draft.parameters), [draft]);
  const change = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    // What the API said was of another request; and a changed one must not be taken for a repetition.
    setRefusal({ fields: {} });
    setIdempotencyKey(crypto.randomUUID());
  };
  const isReady = (draft.file !== undefined || draft.url.trim() !== '') && Object.keys(wrong).length === 0;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || submit.isPending) return;
    submit.mutate({ draft, idempotencyKey }, { onError: (error) => setRefusal(problemsOf(error)) });
  };

  return (
    <form onSubmit={send} noValidate className={classes.columns}>
      <Stack gap="lg">
        <Section title="Source">
          <SourceInput
            file={draft.file}
            url={draft.url}
            urlError={refusal.fields['input.url']}
            onFile={(file) => change({ file, url: '' })}
            onUrl={(url) => change({ url })}
          />
        </Section>
        <Section title="Recipe">
          <RecipePicker
            recipes={recipes}
            chosen={draft.recipe}
            onChoose={(recipe) => change(withRecipe(draft, recipe))}
          />
        </Section>
        <Parameters draft={draft} wrong={{ ...wrong, ...forRecipe(refusal) }} onChange={change} />
        <Section title="Output">
          <Stack gap="md">
            <NativeSelect
              label="Format"
              value={draft.format}
              data={draft.recipe.outputFormats}
              error={refusal.fields['output.format']}
              onChange={({ currentTarget }) => change({ format: currentTarget.value })}
            />
            <TextInput
              type="url"
              label="Webhook URL"
              description="Who is told when the job ends; where left out, the default of the settings."
              placeholder="https://example.com/hooks/media"
              value={draft.webhookUrl}
              error={refusal.fields.webhookUrl}
              onChange={({ currentTarget }) => change({ webhookUrl: currentTarget.value })}
            />
          </Stack>
        </Section>
      </Stack>
      <Stack gap="lg" className={classes.preview}>
        <JobRequest
          title="What will be sent"
          request={requestOf(draft, inputOf(draft)) as JobResource['request']}
        />
        <SubmitState
          progress={progress}
          isPending={submit.isPending}
          problem={refusal.general}
          onCancel={cancel}
        />
        <Button type="submit" size="md" disabled={!isReady} loading={submit.isPending}>
          {draft.file === undefined ? 'Create job' : 'Upload and create job'}
        </Button>
      </Stack>
    </form>
  );
}

type ParametersProps = {
  draft: Draft;
  wrong: Record<string, string>;
  onChange: (changes: Partial<Draft>) => void;
};

function Parameters({ draft: { recipe, parameters }, wrong, onChange }: ParametersProps) {
  const fields = useMemo(() => parametersOf(recipe.parameters), [recipe]);
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = parameters;
    onChange({ parameters: value === undefined ? others : { ...others, [name]: value } });
  };
  return (
    <Section title={`${recipe.title} options`}>
      {fields.length === 0 ? (
        <Text size="sm" c="dimmed">
          This recipe has nothing to choose.
        </Text>
      ) : null}
      <Stack gap="lg">
        {fields.map((parameter) => (
          <ParameterField
            key={`${recipe.name} ${parameter.name}`}
            parameter={parameter}
            value={parameters[parameter.name]}
            error={wrong[parameter.name]}
            onChange={(value) => set(parameter.name, value)}
          />
        ))}
      </Stack>
    </Section>
  );
}

/** What the API said of the recipe's parameters, by their names. */
function forRecipe({ fields }: RequestProblems): Record<string, string> {
  const own = Object.entries(fields).filter(([path]) => path.startsWith('recipe.'));
  return Object.fromEntries(own.map(([path, message]) => [path.slice('recipe.'.length), message]));
}
