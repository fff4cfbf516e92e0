import { Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { maxOutputs } from '@media-jobs/core/api';
import { Plus, Trash2 } from 'lucide-react';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { SmallButton } from '../ui/action-button.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { acceptsMultipleInputs, addOutput, type DraftOutput, newStep, outputRecipePath } from './draft.ts';
import { inputWrapperOrder, type RecipeSectionProps, type ValueProps } from './field-props.ts';
import { FormatField, withFittingFormat } from './format-field.tsx';
import { ItemAction } from './list-actions.tsx';
import { OutputOptionsFields } from './output-options.tsx';
import { Parameters } from './parameters.tsx';
import { RecipeSelect } from './recipe-select.tsx';
import { nameField } from './validate-draft.ts';

/** The outputs of a job besides that of its recipe, and a button that adds one. */
export function FurtherOutputs({ recipes, draft, problems, onChange }: RecipeSectionProps) {
  const { outputs, name, earlierSteps } = draft;
  const [first] = recipes;
  const canAdd = earlierSteps.length === 0 && outputs.length + 1 < maxOutputs && !acceptsMultipleInputs(draft.recipe);
  const replace = (index: number, changes: Partial<DraftOutput>) =>
    onChange({ outputs: outputs.map((output, at) => (at === index ? { ...output, ...changes } : output)) });
  const names = [name, ...outputs.map((output) => output.name)];
  return (
    <>
      {outputs.map((output, index) => (
        <OutputSection
          key={output.id}
          recipes={recipes.filter((recipe) => !acceptsMultipleInputs(recipe))}
          title={`Output ${index + 2}`}
          output={output}
          sources={names.filter((each) => each !== output.name)}
          nameProblem={problems[nameField(index + 1)]}
          problems={problems}
          onChange={(changes) => replace(index, changes)}
          onRemove={() => onChange({ outputs: outputs.toSpliced(index, 1) })}
        />
      ))}
      {canAdd ? (
        <Group gap="sm">
          <SmallButton Icon={Plus} onClick={() => first && onChange({ outputs: addOutput(draft, first) })}>
            Add output
          </SmallButton>
          <Note>Another result of the same source, such as a poster.</Note>
        </Group>
      ) : null}
    </>
  );
}

/** The name of one of several outputs. */
export function NameInput({ value, error, onChange }: ValueProps<string>) {
  return (
    <TextInput
      label="Name"
      mb="md"
      description="The result has this name in the job and in its webhook."
      inputWrapperOrder={inputWrapperOrder}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

type OutputSectionProps = {
  recipes: readonly RecipeDescription[];
  title: string;
  output: DraftOutput;
  /** Names of the outputs that it can be made of. */
  sources: readonly string[];
  nameProblem: string | undefined;
  problems: Record<string, string>;
  onChange: (changes: Partial<DraftOutput>) => void;
  onRemove: () => void;
};

function OutputSection({ recipes, title, output, sources, nameProblem, ...section }: OutputSectionProps) {
  const { problems, onChange, onRemove } = section;
  const { name, recipe, from, format, options = {} } = output;
  const path = outputRecipePath(name);
  return (
    <Section title={title} actions={<ItemAction Icon={Trash2} label={`Remove output ${name}`} onClick={onRemove} />}>
      <Stack gap="lg">
        <NameInput value={name} error={nameProblem} onChange={(next) => onChange({ name: next })} />
        <NativeSelect
          label="Made from"
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
        <FormatField recipe={recipe} format={format} error={problems[`outputs.${name}.format`]} onChange={onChange} />
        <Parameters
          step={output}
          path={path}
          problems={problems}
          onChange={(parameters) => onChange(withFittingFormat(parameters, format))}
        />
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
