import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { Section } from '../ui/section.tsx';
import { acceptsMultipleInputs, type DraftOutput, newStep, outputRecipePath } from './draft.ts';
import { inputWrapperOrder, type RecipeSectionProps } from './field-props.ts';
import { ItemAction } from './list-actions.tsx';
import { OutputOptionsFields } from './output-options.tsx';
import { Parameters } from './parameters.tsx';
import { RecipeSelect } from './recipe-select.tsx';
import { nameField } from './validate-draft.ts';

/** The outputs of a job besides that of the recipe, and the name of that one. */
export function FurtherOutputs({ recipes, draft, problems, onChange }: RecipeSectionProps) {
  const { outputs, name, options = {} } = draft;
  if (outputs.length === 0) return null;
  const replace = (index: number, changes: Partial<DraftOutput>) =>
    onChange({ outputs: outputs.map((output, at) => (at === index ? { ...output, ...changes } : output)) });
  const names = [name, ...outputs.map((output) => output.name)];
  return (
    <>
      <Section title="First output">
        <Stack gap="lg">
          <NameInput name={name} error={problems[nameField(0)]} onChange={(next) => onChange({ name: next })} />
          <OutputOptionsFields
            name={name}
            options={options}
            problems={problems}
            onChange={(next) => onChange({ options: next })}
          />
        </Stack>
      </Section>
      {outputs.map((output, index) => (
        <OutputSection
          key={output.id}
          recipes={recipes.filter((recipe) => !acceptsMultipleInputs(recipe))}
          output={output}
          sources={names.filter((each) => each !== output.name)}
          nameProblem={problems[nameField(index + 1)]}
          problems={problems}
          onChange={(changes) => replace(index, changes)}
          onRemove={() => onChange({ outputs: outputs.toSpliced(index, 1) })}
        />
      ))}
    </>
  );
}

function NameInput({
  name,
  error,
  onChange,
}: {
  name: string;
  error: string | undefined;
  onChange: (name: string) => void;
}) {
  return (
    <TextInput
      label="Name"
      description="The result has its URL under this name."
      inputWrapperOrder={inputWrapperOrder}
      value={name}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

type OutputSectionProps = {
  recipes: readonly RecipeDescription[];
  output: DraftOutput;
  /** Names of the outputs that it can be made of. */
  sources: readonly string[];
  nameProblem: string | undefined;
  problems: Record<string, string>;
  onChange: (changes: Partial<DraftOutput>) => void;
  onRemove: () => void;
};

function OutputSection({ recipes, output, sources, nameProblem, problems, onChange, onRemove }: OutputSectionProps) {
  const { name, recipe, from, format, options = {} } = output;
  const path = outputRecipePath(name);
  const remove = (
    <ItemAction label={`Remove output ${name}`} onClick={onRemove}>
      <Trash2 size={16} aria-hidden />
    </ItemAction>
  );
  return (
    <Section title={`Output ${name}`} actions={remove}>
      <Stack gap="lg">
        <NameInput name={name} error={nameProblem} onChange={(next) => onChange({ name: next })} />
        <NativeSelect
          label="Made of"
          value={from ?? ''}
          data={[{ value: '', label: 'The source' }, ...sources]}
          error={problems[`outputs.${name}.from`]}
          onChange={({ currentTarget: { value } }) => onChange({ from: value === '' ? undefined : value })}
        />
        <RecipeSelect
          label={`Recipe of ${name}`}
          recipes={recipes}
          chosen={recipe}
          error={problems[`${path}.name`]}
          onChoose={(next) => onChange({ ...newStep(next), format: next.outputFormats[0] ?? 'mp4' })}
        />
        <NativeSelect
          label="Format"
          value={format}
          data={recipe.outputFormats}
          error={problems[`outputs.${name}.format`]}
          onChange={({ currentTarget }) => onChange({ format: currentTarget.value })}
        />
        <Parameters step={output} path={path} problems={problems} onChange={(parameters) => onChange({ parameters })} />
        <OutputOptionsFields
          name={name}
          options={options}
          problems={problems}
          onChange={(next) => onChange({ options: next })}
        />
      </Stack>
    </Section>
  );
}
